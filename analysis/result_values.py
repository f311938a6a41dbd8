"""What rows of charts take from results."""

from collections.abc import Mapping
from typing import Any

from analysis.stats.results import Result, result_of


def result_values(result: Result | Mapping[str, Any], key: str = "value") -> dict[str, Any]:
    """Return what every chart row takes from a result, its value by `key`."""
    if isinstance(result, Mapping):
        result = result_of(result)
    interval = result.interval
    return {
        key: result.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n": result.n,
        "reason": result.reason,
    }


def joined(*parts: str) -> str:
    """Return a line of parts that are not empty."""
    return " · ".join(part for part in parts if part)
