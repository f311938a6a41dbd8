"""Named formats that are queries: a `.sql` file each, with a header that says what they read.

-- name: doccano
-- title: doccano (JSON Lines)
-- recognised: file = *.jsonl with id, label[], text | data

-- table: outputs
SELECT … FROM {file}

The files that a line `recognised` or `optional` finds are behind the name in it: `{file}` has a
row for each of their records, with `_row`, `record` (as JSON; of plain lines `text`), `file`,
`stem`, `folder` and `part` (the array of a document in which it is). `{files}` has a row for each
file: `kind` (the name in the header), `file`, `stem`, `rows`.
"""

import json
import re
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, Offered, ReadAs
from corpus.tabular.guesses.columns import canonical
from corpus.tabular.guesses.known_columns import FILE_NAME, catalogue
from corpus.tabular.opening.files import Dialect, SourceFile, stem_of
from corpus.tabular.opening.json_records import WHOLE
from corpus.tabular.opening.loading import Loaded, Tables
from corpus.tabular.plain import from_plain
from corpus.tabular.problems import Problem, TableError, refused, shorten
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.query_files import files_in, parts_of
from corpus.tabular.sql import ROW, literal, table_name

_HEADER = re.compile(r"^-- (\w+): (.+?)[ \t]*$", re.MULTILINE)
_ROLE = re.compile(r"(\w+) = (.+?)(?: (with|like) (.+))?")
_PLACE = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
_READ = re.compile(r"record->>'([^']+)'")
NOTES, PROBLEMS, STUDY = "notes", "problems", "study"
"""Beside tables: sentences about what was read; what is wrong with the files (file, `_row`, what is
found and expected, what to do, a code); one structure of what `study.json` would say."""
_NOTHING = tuple(
    f"(SELECT NULL::BIGINT AS _row, {value}, '' AS file, '' AS stem, '' AS folder, '' AS part "
    "WHERE false)"
    for value in ("NULL::JSON AS record", "'' AS text")
)
_FIELDS = ("segment", "source", "reference", "system", "output")
_KINDS: dict[str, type] = {"[]": list, "{}": dict}


@dataclass(frozen=True)
class Role:
    """Files of one kind, recognised by their names and beginnings.

    Attributes
    ----------
    name, globs
        In the queries, and of the files.
    columns
        What the first record must have, each with alternatives; ``[]`` after a name: a list,
        ``{}``: an object.
    beginning
        A regular expression for the first bytes.
    said
        How they are written, in JSON.
    kind
        ``lines`` of texts; ``whole`` if a document of JSON is one record, however it is built.
    """

    name: str
    globs: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...] = ()
    beginning: str = ""
    said: str = ""
    kind: str = ""

    @classmethod
    def of(cls, line: str) -> "Role":
        """Read a line of a header; `ValueError` if it names no files.

        Examples
        --------
        >>> Role.of("file = *.jsonl, *.json with id, text | data").columns
        (('id',), ('text', 'data'))
        """
        if not (found := _ROLE.fullmatch(line)):
            raise ValueError(f"no files in {line!r}")
        name, globs, how, what = found.groups("")
        columns = tuple(_split(each, "|") for each in _split(what, ",")) if how == "with" else ()
        return cls(name, _split(globs, ","), columns, what if how == "like" else "")

    @property
    def dialect(self) -> Dialect:
        """How the files are written."""
        dialect: Dialect = from_plain(Dialect, json.loads(self.said or "{}"))
        return dialect

    def fits(self, files: Offered, name: str) -> bool:
        """Whether a file is of this kind."""
        plain = name.lower().removesuffix(".gz")
        if not any(fnmatch(plain, each.lower()) for each in self.globs):
            return False
        if self.beginning:
            return bool(re.match(self.beginning, files.beginning(name), re.DOTALL))
        record = files.first_record(name) if self.columns else {}
        return all(any(_has(record, each) for each in names) for names in self.columns)

    def tables_in(self, files: Offered, name: str) -> list[SourceFile]:
        """Return the tables in a file of this kind."""
        if self.kind == "lines":
            return [files.source(name, "lines")]
        if self.kind == "whole":
            return [replace(files.source(name), sheet=WHOLE)]
        return files.tables_in(name) or [files.source(name, "tsv" if self.said else None)]

    def records(self, source: SourceFile, read: dict[str, None]) -> str:
        """Return a query for the records in a table; of a delimited one what is read of it."""
        facts = {
            "file": source.name,
            "stem": source.stem,
            "folder": source.name.rpartition("/")[0].rpartition("/")[2],
            "part": "" if source.sheet == WHOLE else stem_of(source.sheet),
        }
        columns = ", ".join(f"{literal(value)} AS {name}" for name, value in facts.items())
        value = "text" if self.kind == "lines" else "to_json(_each) AS record"
        dialect = f"\n-- file: {source.name} {self.said}\n" if self.said else ""
        table = table_name(source.name)
        if self.said and not self.kind:  # the rest may be large
            names = ", ".join(map(literal, read))
            table = f"(SELECT COLUMNS(lambda name: name IN ({names})) FROM {table})"  # noqa: S608
        return f"{dialect}SELECT _row, {value}, {columns} FROM {table} AS _each"  # noqa: S608


class QueryFormat(Format):
    """A format that a `.sql` file describes.

    Parameters
    ----------
    path
        Of the file; `ValueError` if its header does not say what it has to.
    """

    def __init__(self, path: Path) -> None:
        header, mark, queries = path.read_text(encoding="utf-8").partition("-- table:")
        lines = header.splitlines(True)
        self._shared = "".join(line for line in lines if not line.startswith("--")).strip()
        self._queries = mark + queries
        said: dict[str, list[str]] = {}
        for line in _HEADER.finditer(header):
            said.setdefault(line[1], []).append(line[2])
        if lacking := {"name", "title", "recognised"} - said.keys():
            raise ValueError(f"{path.name} lacks {', '.join(sorted(lacking))}")
        dialects, kinds, self.presets, self._left_out = (
            dict(line.split(" = ", 1) for line in said.get(key, ()))
            for key in ("dialect", "read", "preset", "left_out")
        )
        (self.name,), (self.title,), (self.part,) = (
            said.get(key, [""]) for key in ("name", "title", "part")
        )
        self._recognised, optional = (
            [
                replace(role, said=dialects.get(role.name, ""), kind=kinds.get(role.name, ""))
                for role in map(Role.of, said.get(key, ()))
            ]
            for key in ("recognised", "optional")
        )
        self._roles = [*self._recognised, *optional]

    def recognises(self, files: Offered) -> bool:
        """Whether a file is of one of the kinds that make the format."""
        return any(role.fits(files, name) for role in self._recognised for name in files.names)

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Load the files, and return the queries that find something in them."""
        tables, found = files.tables, self._sources(files)
        tables.sources |= {source.name: source for _, source in found}
        tables.presets = self.presets
        loaded = {source.name: tables.load(source, role.dialect) for role, source in found}
        facts = {"title": literal(files.title), "chosen": literal(chosen)}
        read = ReadAs([(source, []) for _, source in found])
        mappings = {source.name: each for source, each in read.tables if each is not None}
        for table, text, _ in parts_of(self._queries):
            first, own = (
                _PLACE.sub(lambda p: facts.get(p[1]) or self._written(p, found, loaded), each)
                for each in (self._shared, text)
            )
            query = f"{first}\n{own}".strip()
            name = next(iter([*files_in(own), *files_in(first)]), "")
            if table == NOTES:
                read.notes += [str(row[0]) for row in _rows(tables, query, name) if row[0]]
            elif table == STUDY:
                for row in _rows(tables, query, name):
                    read.study |= {key: value for key, value in row[0].items() if value}
            elif table == PROBLEMS:
                for file, row, text, expected, advice, *code in _rows(tables, query, name):
                    line = loaded[file].lines_of([row]).get(row, row)
                    what = shorten(text, 40), expected, advice, (*code, "format")[0]
                    raise TableError(Problem(file, line, None, *what))
            elif name and _rows(tables, f"SELECT 1 FROM ({query}\n) LIMIT 1", name):  # noqa: S608
                mappings[name].append(Mapping(table, query=query))
        if not any(mappings.values()):
            advice = " ".join(read.notes) or "Export the files again, or choose another format."
            name = next(iter(mappings), "")
            raise refused("nothing-of-format", name, title=self.title, advice=advice)
        for name in files.names:
            reasons = (why for glob, why in self._left_out.items() if fnmatch(name, glob))
            read.passed_over += [(name, why) for why in list(reasons)[:1]]
        _leave_texts_out(read)
        return read

    def _sources(self, files: Offered) -> list[tuple[Role, SourceFile]]:
        """Return the tables of each kind; a file that is of several kinds is of the first."""
        found, taken = list[tuple[Role, SourceFile]](), set[str]()
        for role in self._roles:
            for name in files.names:
                if name not in taken and role.fits(files, name):
                    taken.add(name)
                    found += [(role, source) for source in role.tables_in(files, name)]
        return found

    def _written(
        self,
        place: re.Match[str],
        found: list[tuple[Role, SourceFile]],
        loaded: dict[str, Loaded],
    ) -> str:
        """Return the SQL behind a name in braces: records, files, or the names of a field."""
        kind, detail = place.groups()
        if kind == "names" and detail:
            return f"[{', '.join(map(literal, names_that_mean(detail)))}]"
        if kind == "files":
            rows = (
                f"({literal(role.name)}, {literal(source.name)}, {literal(source.stem)}, "
                f"{len(loaded[source.name].lines)})"
                for role, source in found
            )
            return f"(VALUES {', '.join(rows)}) AS _(kind, file, stem, rows)"
        kinds = {role.name: role.kind for role in self._roles}
        if kind not in kinds:
            return place[0]
        read = dict.fromkeys([ROW, *_READ.findall(self._shared + self._queries)])
        parts = [role.records(source, read) for role, source in found if role.name == kind]
        return f"({' UNION ALL '.join(parts)})" if parts else _NOTHING[kinds[kind] == "lines"]


def _rows(tables: Tables, query: str, name: str) -> list[tuple[Any, ...]]:
    """Return what a query finds; nobody who imports can correct that of a format."""
    try:
        with tables.database.selected(query, name) as found:
            return [row for rows in found.pieces() for row in rows]
    except TableError as error:
        raise ValueError(str(error)) from error


def _leave_texts_out(read: ReadAs) -> None:
    """Read ratings alone where there are no outputs."""
    given = {mapping.table for _, mappings in read.tables for mapping in mappings or ()}
    if "ratings" in given and "outputs" not in given:
        read.study["without_texts"] = True
        for _, mappings in read.tables:
            if mappings:
                mappings[:] = [each for each in mappings if each.table != "segments"]


def _split(text: str, by: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(by))


def _has(record: dict[str, Any], name: str) -> bool:
    kind = _KINDS.get(name[-2:])
    return isinstance(record.get(name[:-2]), kind) if kind else name in record


@cache
def names_that_mean(field: str) -> list[str]:
    """Return the names that the field uses for one of ours, in small letters without separators."""
    known = {canonical(name): name for name in _FIELDS}
    for line in catalogue():
        if line.field in _FIELDS and not line.kind and set(line.beside) <= {FILE_NAME}:
            for name in line.names:
                known.setdefault(canonical(name), line.field)
    return [name for name, meant in known.items() if meant == field]
