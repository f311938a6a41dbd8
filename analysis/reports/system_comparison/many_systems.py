"""Every two of many systems: all pairs in columns, and rows of them for a page or a table.

The tests of forty systems are 780; those of three hundred are 44,850, of which a page shows the
neighbours in the ranking and a download all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from analysis.estimates.comparisons import CORRECTIONS, LEVEL
from analysis.filter.question import Question
from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.systems.all_pairs import TESTS, AllPairs, compare_all_pairs, smallest_normal_p
from analysis.stats.systems.rank_ranges import rank_ranges, significantly_better

MOST_LISTED = 40
"""Up to so many systems every pair is listed, and tested by draws."""
NO_COMMON = "no segment has scores of both systems"
FEW_COMMON = "fewer than two segments have scores of both systems"
SAME_SCORES = "both systems have the same score on every segment"
SAME_DIFFERENCE = "the difference is the same on every segment"

Columns = dict[str, Any]
Row = dict[str, Any]


def compare_many(
    scores: FloatArray, values: Sequence[float], question: Question
) -> tuple[Columns, list[dict[str, Any]]]:
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
    ranges : list of dict
        Rank range and cluster of each system.
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
    return columns, [r.to_dict() for r in sorted(ranges, key=lambda r: r.index)]


def pair_rows(columns: Columns, places: Iterable[int] | None = None) -> Iterator[Row]:
    """Yield rows as `analysis.estimates.comparisons.family` makes them, of all pairs or of some."""
    for place in range(len(columns["first"])) if places is None else places:
        yield _row(columns, place)


def neighbours(n_systems: int) -> IntArray:
    """Return the places of the pairs (0, 1), (1, 2), … among all pairs of systems."""
    upper = np.arange(n_systems - 1)
    return np.asarray(upper * n_systems - upper * (upper + 1) // 2, dtype=np.int64)


def all_pair_rows(content: Mapping[str, Any]) -> Iterable[Row]:
    """Return the rows of all pairs of a report on systems, however it holds them."""
    columns = content.get("pair_columns")
    return pair_rows(columns) if columns else content["pairs"]


def _better(n_systems: int, pairs: AllPairs, decided: FloatArray) -> Any:
    gaps, p_values = (np.full((n_systems, n_systems), np.nan) for _ in range(2))
    here, there = (pairs.first, pairs.second), (pairs.second, pairs.first)
    gaps[here], gaps[there] = pairs.difference, -pairs.difference
    p_values[here] = p_values[there] = decided
    return significantly_better(gaps, p_values, level=LEVEL)


def _row(columns: Columns, place: int) -> Row:
    test, n = columns["test"], columns["n"][place]
    of_tests = columns["p_values"]
    low, high = columns["low"][place], columns["high"][place]
    interval = None
    if low is not None:
        interval = {"low": low, "high": high, "level": 0.95}
        interval["method"] = "Student's t over segments"
    results = {
        test: _result(columns, place, test, None, SAME_SCORES if n else NO_COMMON),
        "mean": _result(columns, place, "mean", interval, SAME_DIFFERENCE if n > 1 else FEW_COMMON),
    }
    adjusted = {
        name: {correction: of_tests[name][correction][place] for correction in CORRECTIONS}
        for name in results
    }
    decided, margin = adjusted[test][columns["correction"]], columns["margin"]
    return {
        "first": columns["first"][place],
        "second": columns["second"][place],
        "tests": results,
        "adjusted": adjusted,
        "p_value": decided,
        "detected": decided is not None and decided <= LEVEL,
        "equivalent": bool(interval and margin > 0 and -margin < low and high < margin),
    }


def _result(columns: Columns, place: int, name: str, interval: Any, reason: str) -> Row:
    p_value = columns["p_values"][name]["p_value"][place]
    common = {
        "n": columns["n"][place],
        "unit": "segments",
        "signature": columns["signatures"][name],
    }
    if p_value is None:
        return {"kind": "undefined", "reason": reason, **common, "details": {}}
    return {
        "kind": "estimate",
        "value": columns["difference"][place],
        **common,
        "raters": None,
        "pairs": None,
        "p_value": p_value,
        "interval": interval,
        "details": {
            "test": TESTS[name],
            "alternative": "two-sided",
            "smallest_p": smallest_normal_p(name, columns["n"][place]),
        },
    }


def _plain(values: FloatArray) -> list[float | None]:
    """Return a list that JSON knows: None where a value is missing."""
    return [value if value == value else None for value in values.tolist()]
