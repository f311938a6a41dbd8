"""Who rates what, in which order: pure, and the same for the same seed."""
