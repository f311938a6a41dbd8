"""Every two of many systems: all pairs in columns, and rows of them for a page or a table.

The tests of forty systems are 780; those of three hundred are 44,850, of which a page shows the
neighbours in the ranking and a download all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from analysis.estimates.comparisons import CORRECTIONS, LEVEL, PairTests
from analysis.filter.question import Question
from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.systems.all_pairs import TESTS, AllPairs, compare_all_pairs, smallest_normal_p
from analysis.stats.systems.rank_ranges import RankRange, rank_ranges, significantly_better

MOST_LISTED = 40
"""Up to so many systems every pair is listed, and tested by draws."""
NO_COMMON = "no segment has scores of both systems"
FEW_COMMON = "fewer than two segments have scores of both systems"
SAME_SCORES = "both systems have the same score on every segment"
SAME_DIFFERENCE = "the difference is the same on every segment"


@dataclass(frozen=True)
class PairColumns:
    """The tests of every two of many systems, in columns; None where undefined.

    Parameters
    ----------
    test, correction, margin
        As they were asked for.
    first, second
        Places of the systems, best first.
    n
        Segments with scores of both.
    difference, low, high
        Mean of first less second, with its interval.
    p_values
        By test, and by correction, or "p_value" without.
    signatures
        By test.
    """

    test: str
    correction: str
    margin: float
    first: list[int]
    second: list[int]
    n: list[int]
    difference: list[float | None]
    low: list[float | None]
    high: list[float | None]
    p_values: Mapping[str, Mapping[str, list[float | None]]]
    signatures: Mapping[str, str]

    def tests(self, places: Iterable[int] | None = None) -> Iterator[PairTests]:
        """Yield the tests of all pairs or of some, as `family` makes them."""
        for place in range(len(self.first)) if places is None else places:
            yield self._tests(place)

    def _tests(self, place: int) -> PairTests:
        test, n = self.test, self.n[place]
        low, high = self.low[place], self.high[place]
        interval = None
        equivalent = False
        if low is not None and high is not None:
            interval = Interval(low, high, 0.95, "Student's t over segments")
            equivalent = self.margin > 0 and -self.margin < low and high < self.margin
        results = {
            test: self._result(place, test, None, SAME_SCORES if n else NO_COMMON),
            "mean": self._result(place, "mean", interval, SAME_DIFFERENCE if n > 1 else FEW_COMMON),
        }
        adjusted = {
            name: {correction: self.p_values[name][correction][place] for correction in CORRECTIONS}
            for name in results
        }
        decided = adjusted[test][self.correction]
        return PairTests(
            self.first[place],
            self.second[place],
            results,
            adjusted,
            p_value=decided,
            detected=decided is not None and decided <= LEVEL,
            equivalent=equivalent,
        )

    def _result(self, place: int, name: str, interval: Interval | None, reason: str) -> Result:
        value, n, signature = self.difference[place], self.n[place], self.signatures[name]
        p_value = self.p_values[name]["p_value"][place]
        if p_value is None or value is None:
            return Undefined(reason, n, "segments", signature)
        return Estimate(
            value,
            n,
            "segments",
            signature,
            p_value=p_value,
            interval=interval,
            details={
                "test": TESTS[name],
                "alternative": "two-sided",
                "smallest_p": smallest_normal_p(name, n),
            },
        )


def compare_many(
    scores: FloatArray, values: Sequence[float], question: Question
) -> tuple[PairColumns, list[RankRange]]:
    """Test every two of many systems.

    Parameters
    ----------
    scores
        Segments × systems, best first.
    values
        By which the systems are ranked.
    question
        Names the test (permutation or wilcoxon), the correction and the margin.

    Returns
    -------
    columns : PairColumns
    ranges : list of RankRange
        Of each system.
    """
    variant = {"human": question.scores}
    if question.scores == "z":
        variant["ddof"] = str(question.ddof)
    test = cast(Any, question.test)
    pairs = compare_all_pairs(scores, test, variant=variant)
    raw = {test: pairs.p_tested, "mean": pairs.p_mean}
    p_values = {
        name: {"p_value": _plain(p)}
        | {correction: _plain(correct(p)) for correction, correct in CORRECTIONS.items()}
        for name, p in raw.items()
    }
    decided = CORRECTIONS[question.correction](pairs.p_tested)
    ranges = rank_ranges(values, _better(len(values), pairs, decided))
    columns = PairColumns(
        test=test,
        correction=question.correction,
        margin=question.margin,
        first=pairs.first.tolist(),
        second=pairs.second.tolist(),
        n=pairs.segments.tolist(),
        difference=_plain(pairs.difference),
        low=_plain(pairs.low),
        high=_plain(pairs.high),
        p_values=p_values,
        signatures=pairs.signatures,
    )
    return columns, sorted(ranges, key=lambda r: r.index)


def neighbours(n_systems: int) -> IntArray:
    """Return the places of the pairs (0, 1), (1, 2), … among all pairs of systems."""
    upper = np.arange(n_systems - 1)
    return np.asarray(upper * n_systems - upper * (upper + 1) // 2, dtype=np.int64)


def _better(n_systems: int, pairs: AllPairs, decided: FloatArray) -> Any:
    gaps, p_values = (np.full((n_systems, n_systems), np.nan) for _ in range(2))
    here, there = (pairs.first, pairs.second), (pairs.second, pairs.first)
    gaps[here], gaps[there] = pairs.difference, -pairs.difference
    p_values[here] = p_values[there] = decided
    return significantly_better(gaps, p_values, level=LEVEL)


def _plain(values: FloatArray) -> list[float | None]:
    """Return a list that JSON knows: None where a value is missing."""
    return [value if value == value else None for value in values.tolist()]
