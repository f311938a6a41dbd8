"""The files that somebody offers for import, as formats look at them: within limits."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Any

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import FORMATS, Format, SourceFile, is_gzipped, open_bytes
from corpus.tabular.problems import TableError

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

    def source(self, name: str, kind: Format | None = None) -> SourceFile:
        """Return a file as readers take it; its ending says how it is read, if nothing else."""
        self.used.add(name)
        return self._source(name, kind)

    def _source(self, name: str, kind: Format | None = None) -> SourceFile:
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
