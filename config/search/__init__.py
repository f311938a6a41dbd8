"""The search over all that a person may open: studies and what is in them, and the help."""
