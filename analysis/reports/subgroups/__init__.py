"""The subgroups report: in which part of a study a metric correlates with human scores."""
