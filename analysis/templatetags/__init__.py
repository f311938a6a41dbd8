"""Filters of the report templates."""
