"""Tags of the study pages."""
