"""Published values: what they may be, and how they are imported."""
