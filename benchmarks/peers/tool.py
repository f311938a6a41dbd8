"""What every tool of the comparison can be asked to do."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol

from benchmarks.peers.processes import Server

ASPECTS = ("style", "content", "fluency")
MARK = re.compile(r"\[item (\d+)\]")


class Text(NamedTuple):
    """An item: a source and the text that a system made of it; both tell its number."""

    number: int

    @property
    def source(self) -> str:
        """Return the source."""
        return f"This is source {self.number}, a sentence of about the usual length."

    @property
    def output(self) -> str:
        """Return the output, which tells the number by which ratings are counted."""
        return f"This is what a system has made of source {self.number}. [item {self.number}]"


class Rating(NamedTuple):
    """Who rated which item."""

    rater: str
    item: int


@dataclass(frozen=True)
class Package:
    """What is installed, and by which Python.

    Parameters
    ----------
    requirements
        Pinned packages.
    pythons
        Versions of Python that can run it, best first.
    repaired
        What a plain installation lacks today to start at all; empty if nothing.
    """

    requirements: tuple[str, ...]
    pythons: tuple[str, ...]
    repaired: str = ""


@dataclass(frozen=True)
class Place:
    """Where a tool runs.

    Parameters
    ----------
    folder
        Private folder of its data.
    programs
        Folder of the commands of its environment.
    postgresql
        Address of a server; empty for what the tool stores in by default.
    """

    folder: Path
    programs: Path
    postgresql: str = ""


class Rater(Protocol):
    """Somebody who rates, as the tool's own page does over HTTP."""

    name: str
    item: int
    """The item that is shown."""

    def enter(self) -> bool:
        """Open the rating page; say whether an item is shown."""

    def rate(self) -> bool:
        """Send a rating of the item and take the next; say whether one is shown."""

    def page(self) -> tuple[str, dict[str, str]]:
        """Return the address of the rating page, and the cookies that open it."""


class Tool(Protocol):
    """A tool in a place of its own."""

    title: ClassVar[str]
    storage: ClassVar[str]
    """Where ratings are stored by default."""
    no_postgresql: ClassVar[str]
    """Why it cannot store them in PostgreSQL; empty if it can."""
    package: ClassVar[Package]
    driven: ClassVar[str]
    """How it is started, filled and rated in, for the reader."""
    server: Server

    def __init__(self, place: Place) -> None: ...

    def prepare(self) -> None:
        """Make what its first start needs, such as a database and an account."""

    def fill(self, items: Sequence[Text], raters: int) -> None:
        """Make a new project, each item of which is wanted once; return when raters can rate."""

    def rater(self, number: int) -> Rater:
        """Return one of the raters of the project, with an account or a link."""

    def export(self) -> bytes:
        """Return all ratings of the project, as the tool exports them."""

    @staticmethod
    def ratings_in(export: bytes) -> list[Rating]:
        """Return the ratings of an export."""


def item_in(text: str) -> int:
    """Return the number of the item that a page shows, or -1 if it shows none."""
    found = MARK.search(text)
    return int(found[1]) if found else -1
