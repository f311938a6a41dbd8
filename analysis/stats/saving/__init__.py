"""Fewer ratings for the same answer: metrics beside ratings, and which segments to rate."""
