"""The rankings report: systems in the order of human raters and in that of each metric."""
