"""What the page says of a mixed-effects model beside the tests."""

import math
from collections.abc import Sequence
from typing import Any

from analysis.estimates.comparisons import LEVEL, PairTests
from analysis.filter.question import Question
from analysis.reports.system_comparison.mixed_models import MixedComparison, MixedPair
from analysis.reports.system_comparison.report import SystemComparisonReport

OF_LOGISTIC = math.pi**2 / 3
"""Variance of the residual of a cumulative-link model."""
SAYS = {
    "annotators": "some annotators are more severe than others",
    "segments": "some segments get higher ratings, whatever the system",
    "outputs": "systems do well on different segments",
    "residual": "what no second rating would repeat",
}


def model_shown(content: SystemComparisonReport, question: Question) -> dict[str, Any] | None:
    """Return the model, its pairs beside those of the tests, and where the two differ."""
    mixed, tests = content.mixed, content.pairs
    if mixed is None:
        return None
    names = [entry.system for entry in content.systems]
    found = [pair.adjusted[question.correction] <= LEVEL for pair in mixed.pairs]
    return vars(mixed) | {
        "chosen": _chosen(mixed, question),
        "why": mixed.undefined.reason if mixed.undefined else "",
        "human_written": [entry.system for entry in content.systems if entry.human],
        "agreement": _agreement(found, [test.detected for test in tests]),
        "pairs": [
            _row(pair, test, names, question) for pair, test in zip(mixed.pairs, tests, strict=True)
        ]
        if mixed.pairs
        else [],
        "variances": _variances(mixed),
    }


def _row(
    pair: MixedPair, test: PairTests, names: Sequence[str], question: Question
) -> dict[str, Any]:
    adjusted = pair.adjusted[question.correction]
    return {
        "first": names[pair.first],
        "second": names[pair.second],
        "number": pair.difference,
        "adjusted": adjusted,
        "detected": adjusted <= LEVEL,
        "mean": test.tests[question.test].value,
        "test": test,
    }


def _chosen(mixed: MixedComparison, question: Question) -> str:
    """Say why the model is ordinal or linear."""
    if mixed.ordinal:
        return f"the ratings are {mixed.points} categories, {mixed.scale.words} as declared"
    if question.scores != "raw":
        return "z-scores and ranks are no categories"
    if mixed.scale.source != "declared":
        return "no scale is declared for these ratings"
    if not mixed.points:
        return f"the declared scale, {mixed.scale.words}, is continuous"
    return f"some ratings lie between the points of the declared scale, {mixed.scale.words}"


def _agreement(by_model: Sequence[bool], by_test: Sequence[bool]) -> dict[str, int]:
    """Count pairs whose difference both detect, one of them, or none."""
    if len(by_model) != len(by_test):
        return {}
    pairs = list(zip(by_model, by_test, strict=True))
    counts = {"both": (True, True), "model": (True, False), "test": (False, True)}
    return {name: pairs.count(which) for name, which in counts.items()} | {"pairs": len(pairs)}


def _variances(mixed: MixedComparison) -> list[dict[str, Any]]:
    if not mixed.variances:
        return []
    known = dict(mixed.variances)
    known.setdefault("residual", OF_LOGISTIC)
    total = sum(value for value in known.values() if value is not None)
    return [
        {
            "source": source,
            "levels": mixed.levels.get(source),
            "variance": value,
            "share": None if value is None else value / total,
            "says": _says(mixed, source, value),
        }
        for source, value in ((name, known[name]) for name in SAYS)
    ]


def _says(mixed: MixedComparison, source: str, value: float | None) -> str:
    if value is None:
        levels = mixed.levels[source]
        if levels == 1:
            return "not in the model: there is one only"
        if levels == mixed.ratings:
            return "not in the model: each was rated once, so it is part of the residual"
        return "not in the model: it cannot be told from another source"
    if value == 0:
        return f"{SAYS[source]}: no evidence of it, the estimate is zero"
    if source == "residual" and mixed.ordinal:
        return f"{SAYS[source]}; fixed by the logistic distribution, π²/3"
    return SAYS[source]
