"""What is noted of each submission that was stored, by those who watch the site."""

from collections.abc import Callable

stored: list[Callable[[], None]] = []
"""Are called after each submission that was stored, and not when it arrives again."""
