"""The tabs of a study's reports, in groups by what they speak of."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse

from analysis.fields_of_kinds import FIELDS, OF_PAGES, carried_over, restricted
from analysis.question import Question

register = template.Library()

Tabs = tuple[tuple[str, str], ...]
GROUPS: tuple[tuple[str, Tabs], ...] = (
    (
        "People",
        (
            ("study-agreement", "Agreement"),
            ("study-raters", "Raters"),
            ("study-planning", "Planning"),
        ),
    ),
    (
        "Systems",
        (
            ("study-ranking", "Ranking"),
            ("study-system-comparison", "System comparison"),
            ("study-metric-means", "Systems by metrics"),
        ),
    ),
    (
        "Metrics",
        (
            ("study-correlation", "Correlation"),
            ("study-subgroups", "Where it holds"),
            ("study-accuracy", "Accuracy"),
            ("study-comparison", "Comparison"),
            ("study-scores", "Scores"),
            ("study-sweeps", "Sweeps"),
            ("study-references", "References"),
        ),
    ),
    (
        "Texts",
        (
            ("study-disagreement", "Disagreement"),
            ("study-map", "Map"),
        ),
    ),
    (
        "More",
        (
            ("study-replication", "Replication"),
            ("study-frozen", "Frozen"),
        ),
    ),
)
REPORTS: Tabs = tuple(tab for _, tabs in GROUPS for tab in tabs)


@register.filter
def among_reports(active: str) -> bool:
    """Whether a page is one of the reports, by the name of its address."""
    return active in dict(REPORTS)


@register.simple_tag
def reports() -> tuple[tuple[str, Tabs], ...]:
    """Return the groups, each with names of addresses and titles, in the order of the tabs."""
    return GROUPS


@register.simple_tag(takes_context=True)
def tab_address(context: dict[str, Any], name: str, slug: str) -> str:
    """Return the address of a tab, which speaks of the same part of the study where it can."""
    return _address(name, slug, context.get("filtered_by"), carried_over)


@register.simple_tag(takes_context=True)
def same_question(context: dict[str, Any], name: str, slug: str) -> str:
    """Return the address of another report with all that it uses of the question asked here."""
    return _address(name, slug, context.get("filtered_by"), restricted)


def _address(
    name: str, slug: str, asked: Question | None, kept: Callable[[str, Question], Question]
) -> str:
    path, kind = reverse(name, args=[slug]), name.removeprefix("study-")
    if asked is None or kind not in {*FIELDS, *OF_PAGES}:
        return path
    query = urlencode(kept(kind, asked).to_query(), doseq=True)
    return f"{path}?{query}" if query else path
