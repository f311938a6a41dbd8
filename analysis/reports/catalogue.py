"""The kinds of reports; a new one is a package of this folder and a line here."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.reports.kind import ReportKind

KINDS = (
    "agreement",
    "raters",
    "planning",
    "correlation",
    "subgroups",
    "accuracy",
    "comparison",
    "ranking",
    "rankings",
    "system-comparison",
    "metric-means",
    "scores",
    "replication",
)
"""Keys of the kinds, in the order of pages and documents."""
GROUPS = ("People", "Systems", "Metrics", "Texts", "More")
"""Groups of tabs, in their order."""


@cache
def report_kind(key: str) -> "ReportKind[Any]":
    """Return the description that the page of a kind ends with: `KIND` in `KEY/page.py`."""
    kind: ReportKind[Any] = import_module(f"analysis.reports.{key.replace('-', '_')}.page").KIND
    return kind


def report_kinds() -> list["ReportKind[Any]"]:
    """Return all kinds."""
    return [report_kind(key) for key in KINDS]
