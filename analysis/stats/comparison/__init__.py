"""Comparison of metrics by how they correlate with human scores."""
