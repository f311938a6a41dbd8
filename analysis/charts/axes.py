"""Axes of numbers that charts of points share."""

from collections.abc import Sequence
from typing import Any


def padded(values: Sequence[float | None]) -> tuple[float, float]:
    """Return a range that leaves a margin around the values, and one unit around a single value."""
    known = [value for value in values if value is not None]
    low, high = min(known), max(known)
    margin = (high - low) * 0.12 or max(abs(low) * 0.1, 0.5)
    return (low - margin, high + margin)


def linear_axis(field: str, label: str, domain: tuple[float, float]) -> dict[str, Any]:
    """Return the channel of a number over exactly this range."""
    scale = {"domain": list(domain), "nice": False, "zero": False}
    axis = {"tickCount": 6, "gridOpacity": 0.6}
    return {"field": field, "type": "quantitative", "title": label, "scale": scale, "axis": axis}
