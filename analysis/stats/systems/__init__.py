"""Scores and ranks of systems, and comparison of systems."""
