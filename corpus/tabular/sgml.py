"""Markup of the older tools of machine translation: tags that need not be well-formed XML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.tabular.files import BoundedStream
from corpus.tabular.limits import Limits
from corpus.tabular.physical_lines import (
    EndlessLineError,
    PhysicalLines,
    UndecodableByteError,
    undecodable,
)
from corpus.tabular.problems import Problem, TableError

# Repetitions give nothing back, so that time is linear also where nothing ends.
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)([^<>]*+)>|<[!?][^<>]*+>")
_BEGUN = re.compile(r"<[/!?A-Za-z][^<>]*\Z")
_ATTRIBUTE = re.compile(r"""(?<![\w.:-])([\w.:-]++)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++)""")
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_LINES_OF_A_TAG = 200
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


class SgmlParser:
    """A parser with the handlers of `GuardedParser`, for tags as mteval and its kin read them.

    Names count without regard to case; values need no quotes; an ampersand, or a ``<`` before
    anything but a name, is a character. The end of an element ends those inside it.
    """

    def __init__(self, name: str, limits: Limits, encoding: str | None = None) -> None:
        self._name = name
        self._limits = limits
        self._encoding = encoding
        self._open: list[str] = []
        self.place = (1, 1)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take the start of an element."""

    def end(self, name: str) -> None:
        """Take the end of an element."""

    def text(self, text: str) -> None:
        """Take some text."""

    def feed(self, stream: BoundedStream) -> Iterator[None]:
        """Parse a stream, yielding after each line; `TableError` where it ends too early."""
        lines = PhysicalLines(stream, self._name, self._encoding, self._limits)
        number, begun, rest = 0, (1, 1), ""
        try:
            for number, line in enumerate(lines, 1):
                lines.release()
                rest = self._take(rest + line, begun if rest else (number, 1))
                begun = self.place if rest else (number + 1, 1)
                is_long = len(rest) > self._limits.field_characters
                if rest and (is_long or number - begun[0] >= _LINES_OF_A_TAG):
                    raise self.broken("a tag that does not end", ">", "field-size")
                yield
        except UndecodableByteError as error:
            raise TableError(undecodable(self._name, number + 1, None, error)) from error
        except EndlessLineError as error:
            self.place = (number + 1, 1)
            raise self.broken("a line that is too long", "a shorter one", "field-size") from error
        if rest:
            self.text(rest)
        if self._open:
            self.place = (number, 1)
            raise self.broken("the end of the file", f"</{self._open[-1]}>")
        yield

    def _take(self, text: str, first: tuple[int, int]) -> str:
        """Take what is complete; return the beginning of a tag at the end."""
        line, column = first
        at = counted = 0
        for tag in _TAG.finditer(text):
            self._words(text[at : tag.start()])
            before = text.count("\n", counted, tag.start())
            if before:
                line, column = line + before, 1
                counted = text.rindex("\n", counted, tag.start()) + 1
            self.place = (line, column + tag.start() - counted)
            at = tag.end()
            if tag[2]:
                self._tag(tag[2].lower(), bool(tag[1]), tag[3])
        begun = _BEGUN.search(text, at)
        end = begun.start() if begun else len(text)
        self._words(text[at:end])
        if begun:
            breaks = text.count("\n", counted, end)
            start = text.rindex("\n", counted, end) + 1 if breaks else counted
            self.place = (line + breaks, end - start + (1 if breaks else column))
        return text[end:]

    def _words(self, text: str) -> None:
        if text:
            self.text(_ENTITY.sub(_character, text) if "&" in text else text)

    def _tag(self, name: str, is_end: bool, rest: str) -> None:
        if is_end:
            if name in self._open:
                while (closed := self._open.pop()) != name:
                    self.end(closed)
                self.end(name)
            return
        if len(self._open) > 100:
            raise self.broken("more than 100 nested elements", "fewer")
        attributes = {
            found[1].lower(): _ENTITY.sub(_character, found[2].strip("\"'"))
            for found in _ATTRIBUTE.finditer(rest)
        }
        self.start(name, attributes)
        if rest.endswith("/"):
            self.end(name)
        else:
            self._open.append(name)

    def broken(self, found: str, expected: str, code: str = "xml") -> TableError:
        """Return an error at what is at hand."""
        advice = "Correct the file, or export it again. Nothing after this place was checked."
        return TableError(Problem(self._name, *self.place_of(), found, expected, advice, code))

    def place_of(self) -> tuple[int, None, int]:
        """Return line, no column, and character."""
        return self.place[0], None, self.place[1]


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else entity[0]
