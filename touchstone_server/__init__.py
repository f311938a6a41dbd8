"""Touchstone as it is installed: the rooms lie below this package, in its folder."""
