"""The files that somebody offers for import, as formats look at them: within limits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.tabular.aligned import aligned_rows
from corpus.tabular.files import FORMATS, Format, SourceFile, open_bytes
from corpus.tabular.limits import Limits
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.readers import PLAIN

if TYPE_CHECKING:
    from corpus.tabular.loading import Tables

HEAD = 1 << 18
LONG_HEAD = 1 << 24
"""For a first record that does not end sooner."""
_CHUNK = 1 << 20


class Offered:
    """Files by their names.

    Parameters
    ----------
    listed
        Name and place of each.
    limits
        How much they may hold.
    title
        Name of the folder or archive around them.
    sources
        The tables that are in them.
    tables
        Where they are loaded.
    """

    def __init__(
        self,
        listed: dict[str, Path],
        limits: Limits,
        title: str = "",
        sources: Sequence[SourceFile] = (),
        tables: Tables | None = None,
    ) -> None:
        self.limits = limits
        self.title = title
        self._sources = sources
        self._tables = tables
        self._listed = listed
        self._heads: dict[tuple[str, int], bytes] = {}
        self.used: set[str] = set()
        """Names of the files that were read, beyond their beginnings."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(sorted(self._listed))

    @property
    def tables(self) -> Tables:
        """Where files are loaded for queries."""
        if self._tables is None:
            raise RuntimeError("these files are looked at, not read")
        return self._tables

    def tables_in(self, name: str) -> list[SourceFile]:
        """Return the tables in a file: sheets, arrays of a document, or itself."""
        self.used.add(name)
        return [
            source
            for source in self._sources
            if source.path == self._listed[name] and source.format != "lines"
        ]

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
        with place.open("rb") as stream:
            gzipped = stream.read(2) == b"\x1f\x8b"
        return SourceFile(place, name, kind or FORMATS.get(ending, "lines"), gzipped)

    def head(self, name: str, size: int = HEAD) -> bytes:
        """Return the first bytes of a file, unpacked; none if it cannot be."""
        if (name, size) not in self._heads:
            try:
                with open_bytes(self._source(name), self.limits) as stream:
                    self._heads[name, size] = stream.read(size)
            except TableError:
                self._heads[name, size] = b""
        return self._heads[name, size]

    def header(self, name: str, delimiter: str = "\t") -> list[str]:
        """Return the names in the first line of a table, without quotes."""
        first = self.head(name).decode("utf-8-sig", "replace").partition("\n")[0]
        return [cell.strip().strip('"') for cell in first.rstrip("\r").split(delimiter)]

    def first_record(self, name: str) -> dict[str, Any]:
        """Return the first object of JSON Lines, or of an array in JSON; empty if there is none."""
        for size in (HEAD, LONG_HEAD):
            text = self.head(name, size).decode("utf-8-sig", "replace").lstrip()
            text = text[1:].lstrip() if text.startswith("[") else text
            try:
                found, _ = json.JSONDecoder().raw_decode(text)
            except (ValueError, RecursionError):
                if len(self.head(name)) < HEAD:
                    break
                continue
            return found if isinstance(found, dict) else {}
        return {}

    def content(self, name: str) -> bytes:
        """Return a whole file, unpacked; what does not fit into memory is refused by it."""
        parts = []
        with open_bytes(self.source(name), self.limits) as stream:
            while data := stream.read(_CHUNK):
                parts.append(data)
        return b"".join(parts)

    def texts(self, name: str) -> Iterator[str]:
        """Yield one text a line; `TableError` with the line of what is no text."""
        for _, row in aligned_rows(self.source(name, "lines"), PLAIN, self.limits):
            yield row[1]

    def decoded(self, name: str, line: str) -> dict[str, Any]:
        """Return the object on a line of JSON Lines."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise TableError(
                Problem(
                    name,
                    found=shorten(line),
                    expected="a JSON object on each line",
                    message="Write the file again.",
                    code="json",
                )
            )
        return found

    def document(self, name: str) -> Any:
        """Return a whole JSON document."""
        try:
            return json.loads(self.content(name).decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise TableError(
                Problem(name, found=str(error), expected="UTF-8 text", code="encoding")
            ) from error
        except json.JSONDecodeError as error:
            raise TableError(
                Problem(
                    name,
                    line=error.lineno,
                    position=error.colno,
                    expected=f"JSON ({error.msg})",
                    message="Write the file again.",
                    code="json",
                )
            ) from error
        except RecursionError as error:
            raise TableError(
                Problem(name, found="brackets nested too deep", expected="JSON", code="json")
            ) from error
