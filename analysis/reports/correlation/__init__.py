"""The correlation report: which metric correlates with human scores."""
