"""The pages of a study: five sections, and what its owners settle.

Each page belongs to one section, by the name of its address. The reports are listed by the question
that they help to answer.
"""

from dataclasses import dataclass, replace
from functools import cache

from analysis.reports.catalogue import FAILURES, GROUPS, KEEP, LISTED, ListedKind


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a study in a list.

    Parameters
    ----------
    name
        Name of its address.
    title
        Its name in the list.
    for_owners
        Whether only owners of the study are shown it.
    asks
        The question that it answers; of reports only.
    when
        When to read it; of reports only.
    tabs
        Itself and what else the same report has, each with an address of its own; of reports that
        have more than one page.
    """

    name: str
    title: str
    for_owners: bool = False
    asks: str = ""
    when: str = ""
    tabs: tuple["Page", ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its address and of those of its tabs."""
        return (self.name, *(tab.name for tab in self.tabs[1:]))


@dataclass(frozen=True, slots=True)
class Section:
    """Pages of a study that belong together; the first is where the section begins."""

    key: str
    title: str
    pages: tuple[Page, ...]


_TABS = {
    "scores": (
        Page(
            "study-references",
            "References",
            asks="Does the choice of the reference matter?",
            when="When metrics compare with references, and there are several.",
        ),
    ),
}
"""Pages that are no kind of report and a tab of one."""
_OTHERS = {
    FAILURES: (
        Page(
            "study-disagreement",
            "Disagreement",
            asks="On which outputs do metrics and human raters disagree?",
            when="To read the outputs themselves: where a metric is most wrong.",
        ),
    ),
    KEEP: (
        Page(
            "study-frozen",
            "Frozen reports",
            asks="What was kept?",
            when="Reports as they were on a day, to be cited, shared and verified.",
        ),
    ),
}
"""Pages that are no kind of report, listed with the reports of their question."""
FIRST = ("agreement", "system-comparison", "correlation", "comparison", "stand-in")
"""Kinds that are read first; lists beside a report name the others behind *More*."""


@cache
def reports() -> tuple[tuple[str, tuple[Page, ...]], ...]:
    """Return the questions of a study, each with the pages that help to answer it."""
    return tuple(
        (
            group,
            (
                *(_page(kind) for kind in LISTED if kind.group == group and not kind.part_of),
                *_OTHERS.get(group, ()),
            ),
        )
        for group in GROUPS
    )


def _page(kind: ListedKind) -> Page:
    """Return the page of a kind of report, with the tabs beside it."""
    parts = tuple(_page(each) for each in LISTED if each.part_of == kind.key)
    others = parts + _TABS.get(kind.key, ())
    page = Page(kind.url_name, kind.title, asks=kind.asks, when=kind.when)
    return replace(page, tabs=(replace(page, title=kind.tab), *others)) if others else page


@cache
def pages_of_reports() -> tuple[Page, ...]:
    """Return the pages of all reports, those first that are read first."""
    listed = [page for _, pages in reports() for page in pages]
    return tuple(sorted(listed, key=lambda page: page.name.removeprefix("study-") not in FIRST))


def _sections() -> tuple[Section, ...]:
    listed = tuple(tab for page in pages_of_reports() for tab in (page, *page.tabs[1:]))
    return (
        Section("findings", "Findings", (Page("study", "Findings"),)),
        Section(
            "texts",
            "Texts",
            (
                Page("study-segments", "Segments"),
                Page("study-systems", "Systems"),
                Page("study-map", "Map"),
                Page("study-write", "Write outputs", for_owners=True),
                Page("study-import", "Import", for_owners=True),
                Page("study-export", "Export", for_owners=True),
            ),
        ),
        Section(
            "ratings",
            "Ratings",
            (
                Page("study-campaigns", "Campaigns"),
                Page("study-annotators", "Annotators and raters"),
                Page("study-aspects", "Aspects"),
                Page("study-scales", "Scales", for_owners=True),
            ),
        ),
        Section(
            "metrics",
            "Metrics",
            (
                Page("study-metrics", "Metrics and runs"),
                Page("study-score", "Score", for_owners=True),
                Page("study-judges", "Judges"),
                Page("study-baselines", "Baselines", for_owners=True),
                Page("study-styles", "Styles and lexicons"),
                Page("study-sweeps", "Sweeps"),
                Page("study-try", "Try it"),
            ),
        ),
        Section("reports", "Reports", (Page("study-reports", "All reports"), *listed)),
    )


SECTIONS = _sections()
SETTINGS = Section(
    "settings",
    "Settings",
    (
        Page("study-members", "Members", for_owners=True),
        Page("study-publish", "Publish", for_owners=True),
        Page("study-data", "Data and deletion", for_owners=True),
    ),
)
"""What owners settle, behind one button next to the sections."""


@cache
def section_of(name: str) -> Section:
    """Return the section to which a page belongs, by the name of its address.

    Raises
    ------
    LookupError
        If no section has the page.
    """
    for section in (*SECTIONS, SETTINGS):
        if any(page.name == name for page in section.pages):
            return section
    raise LookupError(f"no section of a study has the page {name!r}")
