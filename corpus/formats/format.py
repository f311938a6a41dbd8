"""What a named format is: how it is recognised, and how its files become tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.formats.offered import Offered
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.shaping.mapping import Mapping as TableMapping

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

    tables: list[tuple[SourceFile, list[TableMapping] | None]] = field(default_factory=list)
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

    columns: Mapping[str, Sequence[int]]
    attributes: Mapping[str, int]
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
        tables: Mapping[str, WrittenTable],
        study: Mapping[str, Any],
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
