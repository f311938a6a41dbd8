"""Choosing a new password by a link in a mail."""
