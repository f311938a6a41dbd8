"""What a named format is: how files that are offered are recognised, and how they are read."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as AnyMapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import FORMATS, SourceFile, is_gzipped, open_bytes
from corpus.tabular.opening.files import Format as FileFormat
from corpus.tabular.problems import TableError
from corpus.tabular.shaping.mapping import Mapping

Rows = Iterable[Sequence[Any]]


@dataclass
class ReadAs:
    """Files of a format, and how they are read.

    Attributes
    ----------
    tables
        Each file that holds records, with the mappings of its tables: one of those that came, so
        that errors keep their places, or one that the format wrote. None for mappings that are
        to be guessed from the columns.
    study
        What `study.json` would say.
    notes
        What the person who imports should know.
    passed_over
        Files that came and are not read, with the reason.
    choices
        What the files hold several of, such as language pairs; one of them is read.
    chosen
        Which of them this is; empty with `choices` where somebody has to say it.
    """

    tables: list[tuple[SourceFile, list[Mapping] | None]] = field(default_factory=list)
    study: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    passed_over: list[tuple[str, str]] = field(default_factory=list)
    choices: tuple[str, ...] = ()
    chosen: str = ""


@dataclass(frozen=True)
class WrittenTable:
    """One table of a study that is to be written in a format.

    Attributes
    ----------
    columns
        Field to the place of its column; of references several places.
    attributes
        Further columns by name.
    rows
        To be read once.
    """

    columns: AnyMapping[str, Sequence[int]]
    attributes: AnyMapping[str, int]
    rows: Rows

    def records(self, *names: str) -> Iterator[tuple[str, ...]]:
        """Yield the values of some fields of each row as texts; empty where there is no column."""
        places = [next(iter(self.columns.get(name, ())), None) for name in names]
        for row in self.rows:
            yield tuple("" if place is None else str(row[place]) for place in places)


class Format(ABC):
    """One format; its instance is what an entry point of `touchstone.formats` names.

    `recognises` and `read` run in the process that opens files of users, within its limits of
    memory and time; they raise `TableError` with the place of what is wrong.

    Attributes
    ----------
    name
        For commands and the API.
    title
        For people, as in "read as …".
    part
        What there may be several of in one set of files, such as ``language pair``.
    """

    name: str
    title: str
    part: str = ""

    @abstractmethod
    def recognises(self, files: Offered) -> bool:
        """Whether files are of this format, by their names and beginnings."""

    @abstractmethod
    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Say how files are read.

        Parameters
        ----------
        files
            Those that came.
        folder
            Empty; for tables that have to be written.
        chosen
            One of the choices; empty if nobody has chosen.
        """


class WritableFormat(Format):
    """A format that studies can be written in, too."""

    @abstractmethod
    def write(
        self,
        tables: AnyMapping[str, WrittenTable],
        study: AnyMapping[str, Any],
        folder: Path,
        chosen: str,
    ) -> list[str]:
        """Write a study into an empty folder.

        Parameters
        ----------
        tables
            By name, as the study archive has them; each can be read once.
        study
            What `study.json` says.
        folder
            Where the files go.
        chosen
            What the study is called among several of the format, such as a language pair; empty
            where nobody has said it.

        Returns
        -------
        list of str
            What the format could not take, in sentences.

        Raises
        ------
        CannotWriteError
            If the study lacks what the format needs, or cannot be called what was chosen.
        """


class CannotWriteError(ValueError):
    """A study that a format cannot hold; the message says why."""


if TYPE_CHECKING:
    from corpus.tabular.opening.loading import Tables
    from corpus.tabular.opening.sources import Discovery

HEAD = 1 << 18
LONG_HEAD = 1 << 24
"""For a first record that does not end sooner."""


class Offered:
    """Files by their names.

    Parameters
    ----------
    found
        What there is.
    limits
        How much the files may hold.
    tables
        Where they are loaded for queries.

    Attributes
    ----------
    names
        Of all files, in order.
    title
        Name of the folder or archive around them.
    used
        Names of the files that were read, beyond their beginnings.
    """

    def __init__(self, found: Discovery, limits: Limits, tables: Tables) -> None:
        self.limits, self.tables, self.title = limits, tables, found.name
        self._sources = found.files
        self._listed = dict(found.listed)
        self.names = tuple(sorted(self._listed))
        self._beginnings: dict[tuple[str, int], str] = {}
        self.used: set[str] = set()

    def only(self, names: Iterable[str]) -> Offered:
        """Return some of the files."""
        some = copy(self)
        some.names = tuple(names)
        return some

    def tables_in(self, name: str) -> list[SourceFile]:
        """Return the tables in a file: sheets, arrays of a document, or itself."""
        self.used.add(name)
        place = self._listed[name]
        return [s for s in self._sources if s.path == place and s.format != "lines"]

    def ending_with(self, *endings: str) -> list[str]:
        """Return the names with one of some endings, packed or not."""
        return [n for n in self.names if n.lower().removesuffix(".gz").endswith(endings)]

    def source(self, name: str, kind: FileFormat | None = None) -> SourceFile:
        """Return a file as readers take it; its ending says how it is read, if nothing else."""
        self.used.add(name)
        return self._source(name, kind)

    def _source(self, name: str, kind: FileFormat | None = None) -> SourceFile:
        ending = name.lower().removesuffix(".gz").rpartition(".")[2]
        place = self._listed[name]
        return SourceFile(place, name, kind or FORMATS.get(ending, "lines"), is_gzipped(place))

    def beginning(self, name: str, size: int = HEAD) -> str:
        """Return the first characters of a file, unpacked; none if it cannot be."""
        if (name, size) not in self._beginnings:
            head = b""
            with suppress(TableError), open_bytes(self._source(name), self.limits) as stream:
                head = stream.read(size)
            self._beginnings[name, size] = head.decode("utf-8-sig", "replace")
        return self._beginnings[name, size]

    def first_record(self, name: str) -> dict[str, Any]:
        """Return the first object of JSON; of a delimited table the names of columns, unquoted."""
        plain = name.lower().removesuffix(".gz")
        if not plain.endswith((".json", ".jsonl")):
            names = self.beginning(name).partition("\n")[0].rstrip("\r")
            cells = names.split("," if plain.endswith(".csv") else "\t")
            return dict.fromkeys(cell.strip().strip('"') for cell in cells)
        for size in (HEAD, LONG_HEAD):
            text = self.beginning(name, size).lstrip().removeprefix("[").lstrip()
            with suppress(ValueError, RecursionError):
                found, _ = json.JSONDecoder().raw_decode(text)
                return found if isinstance(found, dict) else {}
        return {}
