"""Errors that raters marked in texts, counted by severity.

Counts are aspects of their own, below zero like penalties: higher is better in every rating.
"""

from __future__ import annotations

from collections.abc import Iterable

ASPECTS = ("errors_major", "errors_minor")


def counted(severities: Iterable[object]) -> tuple[int, int]:
    """Return minus the number of major errors and minus that of minor ones.

    Examples
    --------
    >>> counted(["Major", "minor", "minor", "neutral", None])
    (-1, -2)
    """
    found = [str(severity).strip().lower() for severity in severities]
    return -found.count("major"), -found.count("minor")
