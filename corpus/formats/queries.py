"""Named formats that are queries: a `.sql` file each, with a header that says what they read.

-- name: doccano
-- title: doccano (JSON Lines)
-- recognised: file = *.jsonl with id, label[], text | data

-- table: outputs
SELECT … FROM {file}

The files that a line `recognised` or `optional` finds are behind the name in it: `{file}` has a
row for each of their records, with `_row`, `record` (as JSON), `file`, `stem`, `folder` and `part`
(the array of a document in which it is).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping as Dictionary
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.known_texts import names_that_mean
from corpus.formats.offered import Offered
from corpus.formats.roles import Role
from corpus.tabular.database import literal, table_name
from corpus.tabular.files import Format as FileFormat
from corpus.tabular.files import SourceFile, stem_of
from corpus.tabular.json_tables import WHOLE
from corpus.tabular.loading import Tables
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError
from corpus.tabular.query_files import files_in, parts_of
from corpus.tabular.readers import PLAIN, Dialect

_HEADER = re.compile(r"^-- (\w+): (.+?)[ \t]*$", re.MULTILINE)
_PLACE = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
NOTES = "notes"
"""Beside tables, a query for sentences about what was read."""
_NOTHING = (
    "(SELECT NULL::BIGINT AS _row, NULL::JSON AS record, '' AS file, '' AS stem, '' AS folder, "
    "'' AS part WHERE false)"
)
Found = Dictionary[str, list[SourceFile]]


@dataclass
class QueryFormat(Format):
    """A format that a `.sql` file describes.

    Attributes
    ----------
    name, title
        Of the format.
    text
        The queries.
    shared
        What all of them begin with: WITH ….
    recognised, optional
        Kinds of files: any of the first makes the format.
    dialects
        How files of a kind are written, in JSON.
    whole
        Kinds of JSON documents that are one record, however they are built.
    presets
        Likely answers to questions about what was read.
    """

    name: str
    title: str
    text: str
    shared: str
    recognised: list[Role]
    optional: list[Role] = field(default_factory=list)
    dialects: dict[str, str] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    presets: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read_from(cls, path: Path) -> QueryFormat:
        """Read a file; `ValueError` if its header does not say what it has to."""
        header, mark, queries = path.read_text(encoding="utf-8").partition("-- table:")
        shared = "".join(line for line in header.splitlines(True) if not line.startswith("--"))
        said: dict[str, list[str]] = {}
        for line in _HEADER.finditer(header):
            said.setdefault(line[1], []).append(line[2])
        if lacking := {"name", "title", "recognised"} - said.keys():
            raise ValueError(f"{path.name} lacks {', '.join(sorted(lacking))}")
        return cls(
            said["name"][0],
            said["title"][0],
            mark + queries,
            shared.strip(),
            [Role.of(line) for line in said["recognised"]],
            [Role.of(line) for line in said.get("optional", ())],
            dict(_pair(line) for line in said.get("dialect", ())),
            frozenset(said.get("whole", ())),
            dict(_pair(line) for line in said.get("preset", ())),
        )

    def recognises(self, files: Offered) -> bool:
        """Whether a file is of one of the kinds that make the format."""
        return any(role.fits(files, name) for role in self.recognised for name in files.names)

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Load the files, and return the queries that find something in them."""
        found = self._sources(files)
        tables = files.tables
        for kind, sources in found.items():
            for source in sources:
                tables.sources[source.name] = source
                tables.load(source, self._dialect(kind))
        tables.presets = self.presets
        read = ReadAs()
        of_source = {s.name: (s, list[Mapping]()) for each in found.values() for s in each}
        for table, text, _ in parts_of(self.text):
            query = _PLACE.sub(lambda p: self._written(p, found), f"{self.shared}\n{text}".strip())
            names = files_in(query)
            rows = self._rows(tables, query, names, every=table == NOTES)
            if table == NOTES:
                read.notes += [str(row[0]) for row in rows if row[0]]
            elif rows:
                of_source[names[0]][1].append(Mapping(table, query=query))
        if not any(mappings for _, mappings in of_source.values()):
            raise TableError(self._nothing(next(iter(of_source), ""), read.notes))
        _leave_texts_out(read, [mappings for _, mappings in of_source.values()])
        read.tables = list(of_source.values())
        return read

    def _nothing(self, name: str, notes: list[str]) -> Problem:
        return Problem(
            name,
            found="nothing that can be stored",
            expected=f"what {self.title} writes",
            message=" ".join(notes) or "Export the files again, or choose another format.",
            code="format",
        )

    def _sources(self, files: Offered) -> dict[str, list[SourceFile]]:
        """Return the files of each kind; one that is of several kinds is of the first."""
        found: dict[str, list[SourceFile]] = {}
        taken: set[str] = set()
        for role in (*self.recognised, *self.optional):
            for name in files.names:
                if name not in taken and role.fits(files, name):
                    taken.add(name)
                    found.setdefault(role.name, []).extend(self._tables_in(files, role.name, name))
        return found

    def _tables_in(self, files: Offered, kind: str, name: str) -> list[SourceFile]:
        if kind in self.whole:
            return [replace(files.source(name), sheet=WHOLE)]
        separated: FileFormat | None = "tsv" if kind in self.dialects else None
        return files.tables_in(name) or [files.source(name, separated)]

    def _dialect(self, kind: str) -> Dialect:
        said = json.loads(self.dialects.get(kind, "{}"))
        return Dialect.from_plain(asdict(PLAIN) | said)

    def _written(self, place: re.Match[str], found: Found) -> str:
        """Return the SQL behind a name in braces: the records of files, or names of a field."""
        kind, detail = place.groups()
        if kind == "names" and detail:
            return f"[{', '.join(map(literal, names_that_mean(detail)))}]"
        if kind not in {role.name for role in (*self.recognised, *self.optional)}:
            return place[0]
        parts = []
        for source in found.get(kind, ()):
            said = self.dialects.get(kind)
            dialect = f"\n-- file: {source.name} {said}\n" if said else ""
            facts = {
                "file": source.name,
                "stem": stem_of(source.name),
                "folder": source.name.rpartition("/")[0].rpartition("/")[2],
                "part": "" if source.sheet == WHOLE else stem_of(source.sheet),
            }
            columns = ", ".join(f"{literal(value)} AS {name}" for name, value in facts.items())
            parts.append(
                f"{dialect}SELECT _row, to_json(_each) AS record, {columns} "  # noqa: S608
                f"FROM {table_name(source.name)} AS _each"
            )
        return f"({' UNION ALL '.join(parts)})" if parts else _NOTHING

    def _rows(self, tables: Tables, query: str, names: list[str], *, every: bool) -> list[Any]:
        """Return what a query finds, or whether it finds anything; nothing without files."""
        if not names:
            return []
        limited = query if every else f"SELECT 1 FROM ({query}\n) LIMIT 1"  # noqa: S608
        try:
            with tables.database.selected(limited, names[0]) as found:
                return [row for rows in found.pieces() for row in rows]
        except TableError as error:
            # Nobody who imports can correct the query of a format.
            raise ValueError(str(error)) from error


def _pair(line: str) -> tuple[str, str]:
    name, _, value = line.partition(" = ")
    return name, value


def _leave_texts_out(read: ReadAs, mappings: list[list[Mapping]]) -> None:
    """Read ratings alone where there are no outputs."""
    given = {mapping.table for each in mappings for mapping in each}
    if "ratings" in given and "outputs" not in given:
        read.study["without_texts"] = True
        for each in mappings:
            each[:] = [mapping for mapping in each if mapping.table != "segments"]
