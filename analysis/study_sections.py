"""The pages of a study: five sections, and what its owners settle.

Each page belongs to one section, by the name of its address. The reports are listed by the question
that they help to answer.
"""

from dataclasses import dataclass
from functools import cache

from analysis.reports.catalogue import FAILURES, GROUPS, KEEP, LISTED, METRICS


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
    """

    name: str
    title: str
    for_owners: bool = False
    asks: str = ""
    when: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Pages of a study that belong together; the first is where the section begins."""

    key: str
    title: str
    pages: tuple[Page, ...]


_BESIDE_KINDS: dict[str, tuple[Page, ...]] = {
    METRICS: (
        Page(
            "study-references",
            "References",
            asks="Does the choice of the reference matter?",
            when="When metrics compare with references, and there are several.",
        ),
    ),
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


@cache
def reports() -> tuple[tuple[str, tuple[Page, ...]], ...]:
    """Return the questions of a study, each with the pages that help to answer it."""
    return tuple(
        (
            group,
            (
                *(
                    Page(kind.url_name, kind.title, asks=kind.asks, when=kind.when)
                    for kind in LISTED
                    if kind.group == group
                ),
                *_BESIDE_KINDS.get(group, ()),
            ),
        )
        for group in GROUPS
    )


def _sections() -> tuple[Section, ...]:
    listed = tuple(page for _, pages in reports() for page in pages)
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
