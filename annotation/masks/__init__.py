"""Masked texts in place of the stored ones."""
