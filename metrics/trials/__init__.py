"""Trying metrics on one source and one output, before or without a run.

What a model sees in the two texts (`styles`), what the metrics give them (`scores`), the form
(`form`) and the page (`views`). Nothing is stored.
"""
