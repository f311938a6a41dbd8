"""Database backends with Touchstone's guarantees."""
