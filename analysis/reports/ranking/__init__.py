"""The ranking report: systems by mean human scores."""
