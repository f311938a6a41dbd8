"""Fewer ratings for the same answer: metrics alongside ratings, and which segments to rate."""
