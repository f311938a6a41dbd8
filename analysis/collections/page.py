"""What the page of a collection shows."""

from collections.abc import Mapping
from typing import Any

from analysis.collections.content import Comparison, Leaderboard, Matrix, PairTests
from analysis.collections.sentences import LEVEL, sentences
from analysis.collections.statistics import STATISTICS
from analysis.shown_numbers import number
from analysis.wording import p_said

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
