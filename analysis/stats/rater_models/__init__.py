"""Raters as a model: true categories and the errors of each rater, from labels alone."""
