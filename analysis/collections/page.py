"""What the page of a collection shows: matrices, tests, and sentences made by rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.collections.content import (
    STATISTICS,
    Comparison,
    Leaderboard,
    Matrix,
    PairTests,
    Standing,
)
from analysis.shown_numbers import number
from analysis.wording import p_said

LEVEL = 0.05
MOST_NAMED = 8


def sentences(matrix: Matrix, things: str, by: str) -> list[str]:
    """Say who has the highest average, what it exceeds, and who shares its rank.

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
    lines = [f"{best.name} has the highest average {by}: {_number(best)}."]
    if len(ranked) > 1:
        lines += _of_rank_one(ranked, things) + _of_tests(
            matrix.pairs[0], len(ranked), things, matrix.permutations
        )
    if left := len(matrix.rows) - len(ranked):
        verb = "lacks" if left == 1 else "lack"
        lines.append(
            f"{left} of {len(matrix.rows)} {things} {verb} a value in some column and "
            f"{'has' if left == 1 else 'have'} no average."
        )
    return lines


def _number(row: Standing) -> str:
    result = row.average
    text = f"{result.value:.3f}"
    if result.interval:
        text += f" (95 % interval {result.interval.low:.3f} to {result.interval.high:.3f})"
    return text


def _of_rank_one(ranked: Sequence[Standing], things: str) -> list[str]:
    first = [row.name for row in ranked if row.rank == 1]
    if len(first) == 1:
        return [
            f"It alone has rank 1 of {len(ranked)} {things}: it significantly exceeds the next one."
        ]
    if len(first) == len(ranked):
        return [f"No difference between the {len(ranked)} {things} was detected."]
    named = first[:MOST_NAMED]
    if len(first) > MOST_NAMED:
        named.append(f"{len(first) - MOST_NAMED} more")
    listed = f"{', '.join(named[:-1])} and {named[-1]}"
    return [f"{listed} share rank 1: no difference between any two of them was detected."]


def _of_tests(pairs: PairTests, count: int, things: str, permutations: int) -> list[str]:
    detected = sum(p <= LEVEL for p in pairs.adjusted)
    total = count * (count - 1) // 2
    if not detected and pairs.adjusted != pairs.p_value and permutations < 40 * total - 1:
        return [f"{permutations:,} draws are too few to detect any of the {total} differences."]
    return [f"Of {total} pairs of {things}, {detected} differ significantly."]


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
        "metrics": _matrix(metrics),
        "systems": _matrix(content.systems),
        "tasks": [_task(task) for task in content.tasks],
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
    return {"by": board.by, "summary": summary, "systems": _matrix(board.systems)}


def _matrix(matrix: Matrix) -> dict[str, Any]:
    return {
        "columns": [
            {"name": column.name, "weight": column.weight, "title": _title(column.statistic)}
            for column in matrix.columns
        ],
        "rows": [
            {
                "name": row.name,
                "note": row.note if row.note != "imported" else "",
                "average": number(row.average),
                "rank": row.rank or "–",
                "cells": [
                    {"number": number(cell), "rank": rank or ""}
                    for cell, rank in zip(row.cells, row.ranks, strict=True)
                ],
            }
            for row in matrix.rows
        ],
    }


def _title(statistic: str) -> str:
    found = STATISTICS.get(statistic)
    return found.title if found else "Mean score of its outputs"


def _task(task: Any) -> dict[str, Any]:
    asked = {name: values for name, values in task.question.items() if name != "aspect"}
    return {
        "task": task,
        "title": STATISTICS[task.statistic].title,
        "asked": [f"{name}: {', '.join(values)}" for name, values in asked.items()],
        "left_out": list(task.left_out.items()),
        "passed_over": list(task.passed_over.items()),
    }


def _tests(matrix: Matrix, chosen: str) -> list[dict[str, Any]]:
    """Return the tests of one metric with each other, over all tasks and in each."""
    names = [row.name for row in matrix.rows]
    if chosen not in names:
        return []
    place = names.index(chosen)
    by_column = [_against(pairs, place) for pairs in matrix.pairs]
    others = [other for other in range(len(names)) if any(other in each for each in by_column)]
    return [
        {
            "name": names[other],
            "cells": [each.get(other) for each in by_column],
        }
        for other in others
    ]


def _against(pairs: PairTests, place: int) -> dict[int, dict[str, Any]]:
    """Return, by the other's place, the difference in favour of the chosen one, and p in words."""
    found: dict[int, dict[str, Any]] = {}
    lists = (pairs.better, pairs.worse, pairs.difference, pairs.p_value, pairs.adjusted)
    for better, worse, difference, p_value, adjusted in zip(*lists, strict=True):
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
