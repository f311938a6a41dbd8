"""Attacks on a running Touchstone of their own, bounded and on the loopback address only."""
