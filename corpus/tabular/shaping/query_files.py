"""Mappings as a `.sql` file: a SELECT for each table, with what it fills and how files are written.

-- table: ratings
-- file: answers.csv {"delimiter": ";"}
SELECT _row, item AS segment, sys AS system, vote AS score FROM files."answers.csv";
"""

import json
import re
from collections.abc import Collection, Iterable

from corpus.tabular.opening.files import Dialect
from corpus.tabular.plain import from_plain, to_plain
from corpus.tabular.problems import refused, shorten
from corpus.tabular.shaping.mapping import Mapping

_TABLE = re.compile(r"^--\s*table:\s*([\w ]+?)\s*$", re.MULTILINE)
_FILE = re.compile(r"^--\s*file:\s*(.+?)\s*(\{.*\})\s*$", re.MULTILINE)
_NAMED = re.compile(r'\bfiles\s*\.\s*(?:"((?:[^"]|"")+)"|(\w+))', re.IGNORECASE)
MOST_CHARACTERS = 150_000
"""Of a file of queries: a page shows them, and takes them back."""
MOST_TABLES = 100
"""Of one file: each is a form on the page, and the file is read once for each."""


def read_queries(text: str, name: str = "query") -> list[Mapping]:
    """Return the mappings in a `.sql` file; `TableError` where one does not say what it fills.

    Parameters
    ----------
    text
        Of the file.
    name
        What problems call it.
    """
    if len(text) > MOST_CHARACTERS:
        raise refused("long-query", name, length=len(text), most=MOST_CHARACTERS)
    parts = parts_of(text)
    if not parts:
        raise refused("no-query", name, shorten(text.strip()) or "an empty file")
    if len(parts) > MOST_TABLES:
        raise refused("too-many-queries", name, queries=len(parts), most=MOST_TABLES)
    for _, query, line in parts:
        if not files_in(query):
            raise refused("no-file-in-query", name, shorten(query) or "nothing", line=line)
    return [Mapping(table, query=query) for table, query, _ in parts]


def parts_of(text: str) -> list[tuple[str, str, int]]:
    """Return the queries of a `.sql` file, each with its table before it and its line behind."""
    marks = list(_TABLE.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [
        (
            mark[1].strip().replace(" ", "_"),
            text[mark.end() : end].strip().removesuffix(";").rstrip(),
            text.count("\n", 0, mark.start()) + 1,
        )
        for mark, end in zip(marks, ends, strict=False)
    ]


def files_in(query: str) -> list[str]:
    """Return the names of the files that a query reads, each once.

    Examples
    --------
    >>> files_in('SELECT * FROM files."a b.csv" JOIN files.c ON true')
    ['a b.csv', 'c']
    """
    found = ((m[1] or m[2]).replace('""', '"') for m in _NAMED.finditer(query))
    return list(dict.fromkeys(found))


def by_file(queries: Iterable[Mapping], names: Collection[str]) -> dict[str, list[Mapping]]:
    """Return the queries of each file: of the first that one names; `LookupError` if none is here.

    Examples
    --------
    >>> query = Mapping("segments", query="SELECT * FROM files.a")
    >>> by_file([query], ["a", "b"]) == {"a": [query]}
    True
    """
    found: dict[str, list[Mapping]] = {}
    for query in queries:
        files = files_in(query.query)
        name = next((each for each in files if each in names), None)
        if name is None:
            raise LookupError(f"{files[0]} is not here; files: {', '.join(sorted(names))}")
        found.setdefault(name, []).append(query)
    return found


def dialects_in(query: str, name: str) -> dict[str, Dialect]:
    """Return how files are written, as far as a query says; `TableError` where that is no JSON."""
    found = {}
    for mark in _FILE.finditer(query):
        try:
            found[mark[1]] = from_plain(Dialect, json.loads(mark[2]))
        except ValueError as error:
            raise refused("dialect", name, mark[2], error=error) from None
    return found


def with_dialect(query: str, file: str, dialect: Dialect) -> str:
    """Return a query after a line that says how its file is written, where somebody has said.

    Examples
    --------
    >>> print(with_dialect("SELECT 1", "a.csv", Dialect(None, ";", '"', None, None)))
    -- file: a.csv {"delimiter": ";"}
    SELECT 1
    """
    said = to_plain(dialect)
    line = f"-- file: {file} {json.dumps(said, ensure_ascii=False)}\n"
    return f"{line}{query}" if said else query


def written(queries: Iterable[tuple[str, str]]) -> str:
    """Return a `.sql` file of some queries, each with its table.

    Examples
    --------
    >>> print(written([("segments", "SELECT 1")]))
    -- table: segments
    SELECT 1;
    <BLANKLINE>
    """
    return "\n".join(f"-- table: {table}\n{query};\n" for table, query in queries)
