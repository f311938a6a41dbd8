"""Mappings as queries, and what they find as records of our tables."""
