"""The raters report: each rater compared with the others."""
