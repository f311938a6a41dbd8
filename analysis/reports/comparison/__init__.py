"""The comparison report: which metrics correlate better than which others."""
