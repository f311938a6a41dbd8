"""Who may open a study, and what is recorded of it."""
