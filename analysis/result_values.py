"""What rows of charts take from results."""

from typing import Any

from analysis.charts.chart import format_interval
from analysis.stats.results import Result


def result_values(result: Result, key: str = "value") -> dict[str, Any]:
    """Return what every chart row takes from a result, its value by `key`."""
    interval = result.interval
    return {
        key: result.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n": result.n,
        "reason": result.reason,
    }


def interval_words(result: Result) -> str:
    """Return a result's interval for readers, or an empty string where it has none."""
    interval = result.interval
    return format_interval(interval.low, interval.high) if interval else ""


def joined(*parts: str) -> str:
    """Return a line of parts that are not empty."""
    return " · ".join(part for part in parts if part)


def axis_values(axis: str, result: Result | None) -> dict[str, float | None]:
    """Return a result and its interval as a side of a scatter plot, under keys that begin so."""
    interval = result.interval if result else None
    return {
        axis: result.value if result else None,
        f"{axis}_low": interval.low if interval else None,
        f"{axis}_high": interval.high if interval else None,
    }
