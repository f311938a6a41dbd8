"""What the page of a collection shows: matrices, tests, and sentences made by rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.collections.content import Comparison, Leaderboard, Matrix, PairTests, Standing
from analysis.estimates.comparisons import LEVEL
from analysis.verdicts.contest import Verdict, verdict_words
from analysis.wording import p_said


def sentences(matrix: Matrix, things: str, by: str) -> list[str]:
    """Say who has the highest average, and what tests detected of the others.

    Parameters
    ----------
    matrix
    things
        What is compared, in the plural.
    by
        What the average is of, such as ``over 7 tasks``.
    """
    ranked = [row for row in matrix.rows if row.average.value is not None]
    if not ranked:
        return [f"None of the {things} has a value in every column, so there is no average."]
    best = ranked[0]
    lines = [f"{best.name} alone has an average {by}."]
    if len(ranked) > 1:
        verdict = _verdict(matrix, [row.name for row in ranked], things)
        first = f"has the highest average {by}"
        lines = list(verdict_words(verdict, first=first, lower="lower", on="", last="the lowest"))
    lines.append(f"The average of {best.name} is {_number(best)}.")
    if left := len(matrix.rows) - len(ranked):
        verb = "lacks" if left == 1 else "lack"
        lines.append(
            f"{left} of {len(matrix.rows)} {things} {verb} a value in some column and "
            f"{'has' if left == 1 else 'have'} no average."
        )
    return lines


def _verdict(matrix: Matrix, names: Sequence[str], things: str) -> Verdict:
    """Return what the tests of averages allow to say of those that have one, the highest first."""
    pairs = matrix.pairs[0]
    found = list(zip(pairs.better, pairs.worse, pairs.adjusted, strict=True))
    is_corrected = pairs.adjusted != pairs.p_value
    # Where corrected, tests are two-sided.
    smallest = min(1.0, (2 * len(found) if is_corrected else 1) / (matrix.permutations + 1))
    least = f"smallest possible {p_said(smallest)}"
    limit = f"with {matrix.permutations:,} draws none could be ({least})"
    return Verdict(
        names,
        behind=frozenset(worse for better, worse, p in found if better == 0 and p <= LEVEL),
        detected=any(p <= LEVEL for *_, p in found),
        things=things,
        limit=limit if smallest > LEVEL else "",
    )


def _number(row: Standing) -> str:
    result = row.average
    text = f"{result.value:.3f}"
    if result.interval:
        text += f" (95 % interval {result.interval.low:.3f} to {result.interval.high:.3f})"
    return text


CORRECTIONS = {
    "none": "one-sided, not corrected for the number of pairs, as in the WMT metrics tasks",
    "holm": "two-sided, corrected for the number of pairs (Holm)",
}


def shown_comparison(stored: Mapping[str, Any], against: str) -> dict[str, Any]:
    """Return what the template shows of a stored comparison.

    Parameters
    ----------
    stored
    against
        Metric with which the others are compared; empty for the one with the highest average.
    """
    content = Comparison.from_dict(stored["content"])
    metrics = content.metrics
    names = [row.name for row in metrics.rows]
    chosen = against if against in names else (names[0] if names else "")
    count = len(metrics.columns)
    return {
        "simulated": any(task.simulated for task in content.tasks),
        "summary": sentences(metrics, "metrics", f"over {count} column{'s' if count > 1 else ''}"),
        "people": sentences(content.systems, "systems", "of human scores"),
        "metrics": metrics,
        "systems": content.systems,
        "tasks": content.tasks,
        "names": names,
        "against": chosen,
        "tests": _tests(metrics, chosen),
        "test_words": CORRECTIONS[stored["settings"]["correction"]],
        "unit_range": stored["settings"]["unit_range"],
        "draws": metrics.permutations or stored["settings"]["draws"],
    }


def shown_board(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the template shows of a leaderboard by a metric."""
    board = Leaderboard.from_dict(stored["content"])
    summary = sentences(board.systems, "systems", f"by {board.by}")
    return {"by": board.by, "summary": summary, "systems": board.systems}


def _tests(matrix: Matrix, chosen: str) -> list[dict[str, Any]]:
    """Return the tests of one metric with each other, over all tasks and in each."""
    names = [row.name for row in matrix.rows]
    if chosen not in names:
        return []
    place = names.index(chosen)
    by_column = [_against(pairs, place) for pairs in matrix.pairs]
    others = [other for other in range(len(names)) if any(other in each for each in by_column)]
    return [
        {"name": names[other], "cells": [each.get(other) for each in by_column]} for other in others
    ]


def _against(pairs: PairTests, place: int) -> dict[int, dict[str, Any]]:
    """Return, by the other's place, the difference in favour of the chosen one, and p in words."""
    found: dict[int, dict[str, Any]] = {}
    for better, worse, difference, p_value, adjusted in pairs.each():
        if place not in (better, worse):
            continue
        other = worse if better == place else better
        found[other] = {
            "difference": difference if better == place else -difference,
            "p": p_said(p_value),
            "adjusted": p_said(adjusted) if adjusted != p_value else "",
            "is_detected": adjusted <= LEVEL,
        }
    return found
