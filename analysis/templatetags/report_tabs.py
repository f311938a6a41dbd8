"""The tabs of a study's reports, in groups by their subject."""

from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse

from analysis.filter.fields_of_kinds import OF_PAGES, carried_over, restricted
from analysis.filter.question import Question
from analysis.reports.catalogue import GROUPS, KINDS, LISTED, ListedKind

register = template.Library()

Tabs = tuple[tuple[str, str], ...]
BESIDE_REPORTS: dict[str, Tabs] = {
    "Metrics": (("study-sweeps", "Sweeps"), ("study-references", "References")),
    "Texts": (("study-disagreement", "Disagreement"), ("study-map", "Map")),
    "More": (("study-frozen", "Frozen"),),
}
"""Tabs of pages that are no kind of report, after the reports of their group."""


@cache
def _groups() -> tuple[tuple[str, Tabs], ...]:
    return tuple(
        (
            group,
            (
                *((kind.url_name, kind.title) for kind in LISTED if kind.group == group),
                *BESIDE_REPORTS.get(group, ()),
            ),
        )
        for group in GROUPS
    )


def tabs() -> Tabs:
    """Return the name of the address and the title of every tab."""
    return tuple(tab for _, tabs in _groups() for tab in tabs)


@register.simple_tag
def report_kinds() -> tuple[ListedKind, ...]:
    """Return what lists say of the kinds of reports."""
    return LISTED


@register.filter
def among_reports(active: str) -> bool:
    """Whether a page is one of the reports, by the name of its address."""
    return active in dict(tabs())


@register.simple_tag
def reports() -> tuple[tuple[str, Tabs], ...]:
    """Return the groups, each with names of addresses and titles, in the order of the tabs."""
    return _groups()


@register.simple_tag(takes_context=True)
def tab_address(context: dict[str, Any], name: str, slug: str) -> str:
    """Return the address of a tab, which is about the same part of the study where it can."""
    return _address(name, slug, context.get("filtered_by"), carried_over)


@register.simple_tag(takes_context=True)
def same_question(context: dict[str, Any], name: str, slug: str) -> str:
    """Return the address of another report with all that it uses of the question asked here."""
    return _address(name, slug, context.get("filtered_by"), restricted)


def _address(
    name: str, slug: str, asked: Question | None, kept: Callable[[str, Question], Question]
) -> str:
    path, kind = reverse(name, args=[slug]), name.removeprefix("study-")
    if asked is None or kind not in {*KINDS, *OF_PAGES}:
        return path
    query = urlencode(kept(kind, asked).to_query(), doseq=True)
    return f"{path}?{query}" if query else path
