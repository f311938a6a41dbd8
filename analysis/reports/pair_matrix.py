"""Correlations of everything with everything, as reports hold, list and draw them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from typing import Any

from analysis.charts.chart import Value
from analysis.stats.correlation.score_matrix import ScoreMatrix


@dataclass(frozen=True, kw_only=True)
class PairMatrix:
    """The correlation of every two, over how many units, and the order in which they are shown."""

    signature: str
    order: tuple[int, ...]
    values: tuple[tuple[float | None, ...], ...]
    counts: tuple[tuple[int, ...], ...]

    @staticmethod
    def parts(found: ScoreMatrix) -> dict[str, Any]:
        """Return order, values and counts of correlations that were computed."""
        return {
            "order": tuple(found.order.tolist()),
            "values": tuple(
                tuple(value if isfinite(value) else None for value in row)
                for row in found.values.tolist()
            ),
            "counts": tuple(map(tuple, found.counts.tolist())),
        }

    def pairs(self) -> Iterator[tuple[int, int, dict[str, Value]]]:
        """Yield the places of every two, with `value` and `n`."""
        for first, second in combinations(range(len(self.values)), 2):
            yield first, second, self._cell(first, second)

    def rows(self, names: Sequence[str], links: Sequence[str] = ()) -> Iterator[dict[str, Value]]:
        """Yield each pair once, and each with itself, as `analysis.charts.heat_map` takes them."""
        for place, first in enumerate(self.order):
            link: dict[str, Value] = {"link": links[first]} if links else {}
            for second in self.order[place:]:
                both = {"first": names[first], "second": names[second]}
                yield link | both | self._cell(first, second)

    def _cell(self, first: int, second: int) -> dict[str, Value]:
        return {"value": self.values[first][second], "n": self.counts[first][second]}
