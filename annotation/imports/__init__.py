"""Ratings made elsewhere, in and out."""
