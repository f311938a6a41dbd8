"""Correlation of metrics with human scores: coefficients and their intervals."""
