"""Scores for programs."""
