"""Which files of an import stand behind a name in the queries of a format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from corpus.formats.offered import Offered

_LINE = re.compile(r"(\w+) = (.+?)(?: (with|like) (.+))?")
_LIST, _OBJECT = "[]", "{}"


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
    """

    name: str
    globs: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...] = ()
    beginning: str = ""

    @classmethod
    def of(cls, line: str) -> Role:
        """Read a line of a header; `ValueError` if it names no files.

        Examples
        --------
        >>> Role.of("file = *.jsonl, *.json with id, text | data").columns
        (('id',), ('text', 'data'))
        """
        if not (found := _LINE.fullmatch(line)):
            raise ValueError(f"no files in {line!r}")
        name, globs, how, what = found.groups()
        if how == "like":
            return cls(name, _split(globs, ","), beginning=what)
        columns = tuple(_split(each, "|") for each in _split(what or "", ",") if each)
        return cls(name, _split(globs, ","), columns)

    def fits(self, files: Offered, name: str) -> bool:
        """Whether a file is of this kind."""
        plain = name.lower().removesuffix(".gz")
        if not any(fnmatch(plain, each.lower()) for each in self.globs):
            return False
        if self.beginning:
            head = files.head(name).decode("utf-8-sig", "replace")
            return bool(re.match(self.beginning, head, re.DOTALL))
        if not self.columns:
            return True
        delimiter = "," if plain.endswith(".csv") else "\t"
        if plain.endswith((".json", ".jsonl")):
            record = files.first_record(name)
        else:
            record = dict.fromkeys(files.header(name, delimiter), "")
        return all(any(_has(record, each) for each in names) for names in self.columns)


def _split(text: str, by: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(by))


def _has(record: dict[str, Any], name: str) -> bool:
    if name.endswith(_LIST):
        return isinstance(record.get(name.removesuffix(_LIST)), list)
    if name.endswith(_OBJECT):
        return isinstance(record.get(name.removesuffix(_OBJECT)), dict)
    return name in record
