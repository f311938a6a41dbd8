"""Every two of many systems: all pairs in columns, and rows of them for a page or a table.

The tests of forty systems are 780; those of three hundred are 44,850, of which a page shows the
neighbours in the ranking and a download all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from analysis.estimates.comparisons import CORRECTIONS, LEVEL, PairTests
from analysis.filter.question import Question
from analysis.reports.content import converter
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

Columns = dict[str, Any]


def compare_many(
    scores: FloatArray, values: Sequence[float], question: Question
) -> tuple[Columns, list[RankRange]]:
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
    columns : dict
        JSON-able: what `pair_rows` reads.
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
    columns = {
        "test": test,
        "correction": question.correction,
        "margin": question.margin,
        "first": pairs.first.tolist(),
        "second": pairs.second.tolist(),
        "n": pairs.segments.tolist(),
        "difference": _plain(pairs.difference),
        "low": _plain(pairs.low),
        "high": _plain(pairs.high),
        "p_values": p_values,
        "signatures": dict(pairs.signatures),
    }
    return columns, sorted(ranges, key=lambda r: r.index)


def pair_rows(columns: Columns, places: Iterable[int] | None = None) -> Iterator[PairTests]:
    """Yield the tests as `analysis.estimates.comparisons.family` makes them, of all or of some."""
    for place in range(len(columns["first"])) if places is None else places:
        yield _row(columns, place)


def neighbours(n_systems: int) -> IntArray:
    """Return the places of the pairs (0, 1), (1, 2), … among all pairs of systems."""
    upper = np.arange(n_systems - 1)
    return np.asarray(upper * n_systems - upper * (upper + 1) // 2, dtype=np.int64)


def all_pair_rows(content: Mapping[str, Any]) -> Iterable[PairTests]:
    """Return the tests of all pairs of a report on systems, however it holds them."""
    columns = content.get("pair_columns")
    return pair_rows(columns) if columns else listed_pairs(content)


def listed_pairs(content: Mapping[str, Any]) -> list[PairTests]:
    """Return the tests of the pairs that a page lists."""
    return [converter().structure(pair, PairTests) for pair in content["pairs"]]


def _better(n_systems: int, pairs: AllPairs, decided: FloatArray) -> Any:
    gaps, p_values = (np.full((n_systems, n_systems), np.nan) for _ in range(2))
    here, there = (pairs.first, pairs.second), (pairs.second, pairs.first)
    gaps[here], gaps[there] = pairs.difference, -pairs.difference
    p_values[here] = p_values[there] = decided
    return significantly_better(gaps, p_values, level=LEVEL)


def _row(columns: Columns, place: int) -> PairTests:
    test, n = columns["test"], columns["n"][place]
    of_tests = columns["p_values"]
    low, high = columns["low"][place], columns["high"][place]
    interval = None
    if low is not None:
        interval = Interval(low, high, 0.95, "Student's t over segments")
    results = {
        test: _result(columns, place, test, None, SAME_SCORES if n else NO_COMMON),
        "mean": _result(columns, place, "mean", interval, SAME_DIFFERENCE if n > 1 else FEW_COMMON),
    }
    adjusted = {
        name: {correction: of_tests[name][correction][place] for correction in CORRECTIONS}
        for name in results
    }
    decided, margin = adjusted[test][columns["correction"]], columns["margin"]
    return PairTests(
        columns["first"][place],
        columns["second"][place],
        results,
        adjusted,
        p_value=decided,
        detected=decided is not None and decided <= LEVEL,
        equivalent=bool(interval and margin > 0 and -margin < low and high < margin),
    )


def _result(
    columns: Columns, place: int, name: str, interval: Interval | None, reason: str
) -> Result:
    p_value, n = columns["p_values"][name]["p_value"][place], columns["n"][place]
    signature = columns["signatures"][name]
    if p_value is None:
        return Undefined(reason, n, "segments", signature)
    return Estimate(
        columns["difference"][place],
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


def _plain(values: FloatArray) -> list[float | None]:
    """Return a list that JSON knows: None where a value is missing."""
    return [value if value == value else None for value in values.tolist()]
