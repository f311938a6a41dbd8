"""Choices of filter fields that depend on what a report found."""

from collections.abc import Sequence
from typing import Any

from analysis.filter.question import QuestionError
from analysis.reports.kind import Pairs, Report


def first_is_default(names: Sequence[str]) -> Pairs:
    """Return names as choices of which the first is shown where none is chosen."""
    return tuple(("" if place == 0 else name, name) for place, name in enumerate(names))


def chosen_place(field: str, chosen: str, labels: Sequence[str]) -> int:
    """Return the place of the metric that a page's field chose, the first where none is chosen.

    Raises
    ------
    QuestionError
        If no metric has that name.
    """
    if chosen and chosen not in labels:
        raise QuestionError(f"{field}={chosen}: expected one of {', '.join(labels)}")
    return labels.index(chosen) if chosen else 0


def aspect_offer(report: Report[Any] | None) -> dict[str, Pairs]:
    """Return the aspects of a report that is on one, the first where none is chosen."""
    aspects = report.stored["content"]["aspects"] if report else ()
    return {"aspect": first_is_default(aspects)} if aspects else {}
