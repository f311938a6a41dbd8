"""Segments and outputs, their masking and their splits."""
