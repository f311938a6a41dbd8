"""The sections of a study and their pages, and addresses of reports on the same part of it."""

from collections.abc import Callable, Collection, Sequence
from typing import Any
from urllib.parse import urlencode

from django import template
from django.http import QueryDict
from django.urls import reverse

from analysis.filter.fields_of_kinds import OF_PAGES, carried_over, restricted
from analysis.filter.question import Question
from analysis.reports.catalogue import KINDS, LISTED
from analysis.study_sections import (
    FIRST,
    SECTIONS,
    SETTINGS,
    Page,
    Section,
    pages_of_reports,
    reports,
    section_of,
)

register = template.Library()


@register.simple_tag
def study_sections() -> tuple[Section, ...]:
    """Return the sections of every study."""
    return SECTIONS


@register.simple_tag
def study_settings() -> Section:
    """Return the pages on which owners settle something."""
    return SETTINGS


@register.filter
def section(active: str) -> Section | None:
    """Return the section of a page, by the name of its address; none of a page without a tab."""
    return section_of(active) if active else None


@register.filter
def is_report(active: str) -> bool:
    """Whether a page stands beside the list of reports, by the name of its address."""
    place = section(active)
    return place is not None and place.key == "reports" and active != "study-reports"


@register.simple_tag
def questions() -> tuple[tuple[str, tuple[Page, ...]], ...]:
    """Return the questions of a study, each with its reports."""
    return reports()


@register.simple_tag
def report_pages() -> tuple[tuple[Page, ...], tuple[Page, ...]]:
    """Return the pages of reports that are read first, and the others."""
    pages = pages_of_reports()
    return pages[: len(FIRST)], pages[len(FIRST) :]


@register.filter
def report_of(active: str) -> Page | None:
    """Return the report of which a page is, by the name of the page's address."""
    return next((page for page in pages_of_reports() if active in page.names), None)


@register.simple_tag(takes_context=True)
def report_address(context: dict[str, Any], name: str, slug: str) -> str:
    """Return the address of a report, which is about the same part of the study where it can."""
    return _address(name, slug, context.get("filtered_by"), carried_over)


@register.simple_tag(takes_context=True)
def same_question(context: dict[str, Any], name: str, slug: str) -> str:
    """Return the address of another report with all that it uses of the question asked here."""
    return _address(name, slug, context.get("filtered_by"), restricted)


@register.simple_tag
def definition(kind: str) -> str:
    """Return where the help defines the statistics of a kind of report."""
    [defined] = [listed.defined for listed in LISTED if listed.key == kind]
    return reverse("help") + defined


@register.simple_tag(takes_context=True)
def opening(context: dict[str, Any], name: str) -> str:
    """Return the address of this page with a section open, which leads to it."""
    # Pages that are no report do without the statistics that it brings.
    from analysis.reports.page_address import OPEN, opened_sections

    query: QueryDict = context["request"].GET.copy()
    query[OPEN] = ",".join(dict.fromkeys([*opened_sections(query), name]))
    return f"?{query.urlencode(safe=',')}#section-{name}"


@register.filter
def any_in(further: Sequence[tuple[str, Any]], opened: Collection[str]) -> bool:
    """Whether a section of charts is among those that are open."""
    return any(name in opened for name, _ in further)


def _address(
    name: str, slug: str, asked: Question | None, kept: Callable[[str, Question], Question]
) -> str:
    path, kind = reverse(name, args=[slug]), name.removeprefix("study-")
    if asked is None or kind not in {*KINDS, *OF_PAGES}:
        return path
    query = urlencode(kept(kind, asked).to_query(), doseq=True)
    return f"{path}?{query}" if query else path
