"""The accuracy report: how often a metric decides as human raters do."""
