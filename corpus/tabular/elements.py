"""Elements of a marked-up file as records: what repeats makes rows, with all that stands around."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from corpus.tabular.files import BoundedStream
from corpus.tabular.guarded_xml import GuardedParser
from corpus.tabular.sgml import SgmlParser

PATH = "path"
TEXT = "text"
SAMPLED_ELEMENTS = 5000
_SPACE = " \t\r\n"


Parser = GuardedParser | SgmlParser


@dataclass
class Record:
    """The values of one element and of those around it, by column, with their places."""

    place: tuple[int, int]
    values: dict[str, str]
    places: dict[str, tuple[int, int]]


@dataclass
class _Open:
    """An element whose end has not come yet."""

    name: str
    place: tuple[int, int]
    values: dict[str, str]
    words: list[str] = field(default_factory=list)
    children: list[str] = field(default_factory=list)
    is_deep: bool = False
    has_words: bool = False


class Records:
    """Takes what a parser finds and collects the records.

    Parameters
    ----------
    parser
        Whose handlers become methods of this object.
    element
        Name of the element of which each makes a record.
    characters, columns
        Longest text of an element and most values of a record.
    """

    def __init__(self, parser: Parser, element: str, characters: int, columns: int) -> None:
        self.found: list[Record] = []
        self._parser = parser
        self._element = element
        self._characters, self._columns = characters, columns
        self._open: list[_Open] = []
        self._record: Record | None = None
        self._depth = 0
        self._length = 0
        parser.start, parser.end = self._start, self._end  # type: ignore[method-assign]
        parser.text = self._text  # type: ignore[method-assign]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        place = self._parser.place
        if self._record is not None:
            self._add(_dotted(self._inside(), name), attributes, place)
        elif name == self._element:
            self._record = Record(place, self._around(), {})
            self._depth = len(self._open)
            self._length = 0
            for key, value in attributes.items():
                self._put(key, value, place)
        self._open.append(_Open(name, place, dict(attributes)))

    def _add(self, name: str, attributes: dict[str, str], place: tuple[int, int]) -> None:
        for key, value in attributes.items():
            self._put(f"{name}.{key}", value, place)

    def _put(self, column: str, value: str, place: tuple[int, int]) -> None:
        """Give a record a value; under a further name, if it has one of that name."""
        record = self._record
        if record is None:
            return
        name, number = column, 1
        while name in record.places:
            number += 1
            name = f"{column} {number}"
        record.values[name], record.places[name] = value, place
        if len(record.places) > self._columns:
            raise self._parser.broken(
                f"more than {self._columns} values in one record", "fewer", "columns"
            )

    def _inside(self) -> list[str]:
        return [each.name for each in self._open[self._depth + 1 :]]

    def _around(self) -> dict[str, str]:
        """Return what stands around a record: attributes, and texts that came before it."""
        values = {PATH: "/".join(each.name for each in self._open)}
        for each in self._open:
            for key, value in each.values.items():
                values[f"{each.name}.{key}"] = value
        return values

    def _text(self, text: str) -> None:
        if not self._open:
            return
        self._length += len(text)
        if self._length > self._characters:
            raise self._parser.broken(
                f"a text of more than {self._characters} characters", "a shorter one", "field-size"
            )
        top = self._open[-1]
        top.words.append(text)
        top.has_words = top.has_words or not text.isspace()

    def _end(self, name: str) -> None:
        closed = self._open.pop()
        text = "".join(closed.words)
        if self._record is not None and len(self._open) == self._depth:
            if closed.has_words or not closed.children:
                column = name if TEXT in self._record.places else TEXT
                self._put(column, text.strip(_SPACE), closed.place)
            self.found.append(self._record)
            self._record = None
        elif self._record is not None:
            if closed.has_words or not closed.children:
                self._put(_dotted(self._inside(), name), text.strip(_SPACE), closed.place)
            self._open[-1].words.append(text)
        elif self._open and not closed.children:
            self._length = 0
            around = self._open[-1].values
            if name != self._element and len(around) < self._columns:
                around.update({f"{name}.{key}": value for key, value in closed.values.items()})
                if closed.has_words:
                    around[name] = text.strip(_SPACE)
        if self._record is None:
            self._length = 0
        if self._open:
            self._open[-1].children.append(name)
            del self._open[-1].children[1:]


def _dotted(names: list[str], last: str) -> str:
    return ".".join((*names, last))


@dataclass
class _Kind:
    """What the elements of one name have in common."""

    count: int = 0
    depth: int = 1000
    is_flat: bool = True
    is_bare: bool = True
    has_words: bool = False
    children: set[str] = field(default_factory=set)


def _rank(kind: _Kind) -> tuple[bool, int, int]:
    return kind.is_bare, kind.depth, -kind.count


class _EnoughError(Exception):
    """As many elements as are looked at."""


class Survey:
    """Takes what a parser finds, to say which element makes the records."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._kinds: defaultdict[str, _Kind] = defaultdict(_Kind)
        self._open: list[_Open] = []
        self._seen = 0
        parser.start, parser.end = self._start, self._end  # type: ignore[method-assign]
        parser.text = self._text  # type: ignore[method-assign]

    def element(self, stream: BoundedStream) -> str:
        """Return the name of the outermost element that repeats and holds nothing deep.

        One with attributes or elements in it comes before a bare text. Of an element that only
        wraps one of another name, the inner one.
        """
        try:
            for _ in self._parser.feed(stream):
                pass
        except _EnoughError:
            pass
        for least in (2, 1):
            flat = {
                name: kind
                for name, kind in self._kinds.items()
                if kind.is_flat and kind.count >= least and (kind.depth or least == 1)
            }
            if flat:
                name = min(flat, key=lambda name: _rank(flat[name]))
                while len(flat[name].children) == 1 and not flat[name].has_words:
                    (inner,) = flat[name].children
                    if inner not in flat or inner == name:
                        break
                    name = inner
                return name
        return ""

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._open.append(_Open(name, (1, 1), attributes))

    def _text(self, text: str) -> None:
        if self._open and not text.isspace():
            self._open[-1].has_words = True

    def _end(self, name: str) -> None:
        closed = self._open.pop()
        kind = self._kinds[name]
        kind.count += 1
        kind.depth = min(kind.depth, len(self._open))
        kind.has_words = kind.has_words or closed.has_words
        kind.children.update(closed.children)
        kind.is_bare = kind.is_bare and not (closed.values or closed.children)
        repeats = len(set(closed.children)) < len(closed.children)
        kind.is_flat = kind.is_flat and (closed.has_words or not (closed.is_deep or repeats))
        if self._open:
            self._open[-1].children.append(name)
            inner = bool(closed.children) and not closed.has_words
            self._open[-1].is_deep = self._open[-1].is_deep or inner
        self._seen += 1
        if self._seen > SAMPLED_ELEMENTS:
            raise _EnoughError
