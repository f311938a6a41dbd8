"""What the descriptions of charts have in common."""

from collections.abc import Iterable, Sequence
from operator import itemgetter

from analysis.charts.chart import format_number
from analysis.charts.table import Row, Table


def lowest(numbers: Iterable[tuple[float, Row]]) -> tuple[float, Row]:
    """Return the lowest of `defined` numbers with its row."""
    return min(numbers, key=itemgetter(0))


def highest(numbers: Iterable[tuple[float, Row]]) -> tuple[float, Row]:
    """Return the highest of `defined` numbers with its row."""
    return max(numbers, key=itemgetter(0))


def in_words(value: float | None) -> str:
    """Return a number for a sentence: from 10 on with one decimal.

    Examples
    --------
    >>> in_words(87.896), in_words(0.6874)
    ('87.9', '0.687')
    """
    return format_number(value, 1 if value is not None and abs(value) >= 10 else 3)


def lowest_and_highest(numbers: Sequence[tuple[float, Row]], *names: str) -> str:
    """Return the range of `defined` numbers in words, with the names of the rows at its ends.

    Of a single number there is no range: it is named alone.
    """
    if not numbers:
        return ""
    (low, worst), (high, best) = lowest(numbers), highest(numbers)
    if len(numbers) == 1:
        return f": {in_words(low)} ({_words(worst, names)})"
    return (
        f", from {in_words(low)} ({_words(worst, names)})"
        f" to {in_words(high)} ({_words(best, names)})"
    )


def _words(row: Row, names: Sequence[str]) -> str:
    values = [row.get(name, "") for name in names]
    return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values if v != "")


def described(text: str, table: Table, key: str = "value") -> str:
    """Return a sentence on a chart, with how many of its numbers are undefined."""
    missing = len(table.rows) - len(table.numbers(key))
    if missing == len(table.rows):
        return f"{text}; all of them undefined."
    return f"{text}; {missing} undefined." if missing else f"{text}."
