"""Choosing the segments of a new campaign by what rating them is worth."""
