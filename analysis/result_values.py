"""What rows of charts take from stored results."""

from collections.abc import Mapping
from typing import Any


def result_values(result: Mapping[str, Any], key: str = "value") -> dict[str, Any]:
    """Return what every chart row takes from a stored result, its value by `key`."""
    interval = result.get("interval") or {}
    return {
        key: result.get("value"),
        "low": interval.get("low"),
        "high": interval.get("high"),
        "n": result["n"],
        "reason": result.get("reason", ""),
    }


def joined(*parts: str) -> str:
    """Return a line of parts that are not empty."""
    return " · ".join(part for part in parts if part)
