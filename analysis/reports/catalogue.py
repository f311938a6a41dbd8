"""The kinds of reports; a new one is a package of this folder and an entry here.

Lists of reports show what is said here: a page that links to a report does not wait until it is
imported.
"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.reports.kind import ReportKind


@dataclass(frozen=True, slots=True)
class ListedKind:
    """What lists say of a kind of report.

    Parameters
    ----------
    key
        Name in addresses, commands and stored results.
    title
        Heading of its page, and name of its tab.
    group
        One of `GROUPS`, under which its tab is listed.
    answers
        What it answers, in a few words after its title.
    """

    key: str
    title: str
    group: str
    answers: str

    @property
    def url_name(self) -> str:
        """Name of the address of its page."""
        return f"study-{self.key}"


GROUPS = ("People", "Systems", "Metrics", "Texts", "More")
"""Groups of tabs, in their order."""
LISTED = (
    ListedKind("agreement", "Agreement", "People", "how far raters agree with each other"),
    ListedKind("raters", "Raters", "People", "how each rater rates, compared with the others"),
    ListedKind(
        "planning",
        "Planning",
        "People",
        "where the variance of ratings comes from, and how large the next study must be",
    ),
    ListedKind(
        "correlation", "Correlation", "Metrics", "which metrics correlate with human scores"
    ),
    ListedKind(
        "subgroups",
        "Subgroups",
        "Metrics",
        "in which parts of a study metrics correlate with human scores",
    ),
    ListedKind(
        "accuracy",
        "Accuracy",
        "Metrics",
        "how often metrics are right, and what the noise of raters allows",
    ),
    ListedKind(
        "comparison",
        "Comparison",
        "Metrics",
        "which metrics correlate better with human scores than which others",
    ),
    ListedKind("ranking", "Ranking", "Systems", "which systems are better, by human raters"),
    ListedKind(
        "rankings",
        "Human and metric rankings",
        "Systems",
        "systems in the order of human raters and in that of each metric",
    ),
    ListedKind(
        "system-comparison",
        "System comparison",
        "Systems",
        "which systems human raters rate higher than which others",
    ),
    ListedKind(
        "metric-means", "Metric scores by system", "Systems", "what each metric gives each system"
    ),
    ListedKind(
        "scores",
        "Scores",
        "Metrics",
        "which metrics say the same, and what they give sources and references",
    ),
    ListedKind("replication", "Replication", "More", "published values beside recomputed ones"),
)
"""The kinds, in the order of pages and documents."""
KINDS = tuple(kind.key for kind in LISTED)


@cache
def report_kind(key: str) -> "ReportKind[Any]":
    """Return the description that the page of a kind ends with: `KIND` in `KEY/page.py`."""
    kind: ReportKind[Any] = import_module(f"analysis.reports.{key.replace('-', '_')}.page").KIND
    return kind
