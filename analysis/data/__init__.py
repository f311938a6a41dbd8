"""A study as arrays: reading it, and keeping the part that a question is about."""
