"""The kinds of reports; a new one is a package of this folder and an entry in `catalogue.toml`.

Lists of reports show what is said here: a page that links to a report does not wait until it is
imported.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
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
        Its name in lists.
    group
        The question of a study, one of `GROUPS`, that it helps to answer.
    asks
        The question that it answers, in its readers' words.
    answers
        What it answers, in a few words after its title.
    when
        When to read it rather than the others of its group.
    defined
        Page of the help, and heading, that define its statistics.
    part_of
        Key of the report of which it is a tab; empty where it heads its own.
    tab
        What its own tab is called, where it has others beside it.
    """

    key: str
    title: str
    group: str
    asks: str
    answers: str
    when: str
    defined: str
    part_of: str = ""
    tab: str = ""

    @property
    def url_name(self) -> str:
        """Name of the address of its page."""
        return f"study-{self.key}"


TRUST = "Can these ratings be trusted?"
SYSTEMS = "Which systems are better?"
METRICS = "Which metric can stand in for human raters?"
FAILURES = "Where and why does it fail?"
KEEP = "Keep"
GROUPS = (TRUST, SYSTEMS, METRICS, FAILURES, KEEP)
"""What the reports of a study are about: its four questions, and what is kept of the answers."""
_BY_KEY = dict(zip(("trust", "systems", "metrics", "failures", "keep"), GROUPS, strict=True))
with Path(__file__).with_suffix(".toml").open("rb") as _file:
    _SAID = tomllib.load(_file)
LISTED = tuple(
    ListedKind(key, **said | {"group": _BY_KEY[_SAID[said.get("part_of", key)]["group"]]})
    for key, said in _SAID.items()
)
"""The kinds, in the order of pages and documents."""
KINDS = tuple(kind.key for kind in LISTED)


@cache
def report_kind(key: str) -> "ReportKind[Any]":
    """Return the description that the page of a kind ends with: `KIND` in `KEY/page.py`."""
    kind: ReportKind[Any] = import_module(f"analysis.reports.{key.replace('-', '_')}.page").KIND
    return kind
