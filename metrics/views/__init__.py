"""Pages of metrics, their runs and style resources."""
