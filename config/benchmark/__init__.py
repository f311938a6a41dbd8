"""A recipe file that makes a whole benchmark: writers, metrics, campaigns and reports."""
