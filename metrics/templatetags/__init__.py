"""Filters of the pages of metrics."""
