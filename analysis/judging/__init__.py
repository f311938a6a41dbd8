"""Asking a language model what raters are asked, of one output or of two.

How a question is put (`questions`), what is asked for and what it costs (`asked`), the job that
judges pairs (`pairs_job`), the form (`form`).
"""
