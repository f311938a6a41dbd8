"""Choices of filter fields that depend on what a report found."""

from collections.abc import Sequence

from analysis.reports.kind import Pairs, Report


def first_is_default(names: Sequence[str]) -> Pairs:
    """Return names as choices of which the first is shown where none is chosen."""
    return tuple(("" if place == 0 else name, name) for place, name in enumerate(names))


def aspect_offer(report: Report | None) -> dict[str, Pairs]:
    """Return the aspects of a report that is on one, the first where none is chosen."""
    if report is None or not report["content"]["aspects"]:
        return {}
    return {"aspect": first_is_default(report["content"]["aspects"])}
