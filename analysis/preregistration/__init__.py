"""Preregistrations: what a campaign is to find out, and how, kept before its first rating."""
