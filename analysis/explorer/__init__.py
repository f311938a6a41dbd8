"""The outputs behind the numbers: where human raters and metrics disagree."""
