"""The report of metric scores by system."""
