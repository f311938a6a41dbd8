"""JSON Lines: one object per physical line (jsonlines.org), flattened to dotted columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.storable import strings, unstorable
from corpus.tabular.exploding import has_list, no_list
from corpus.tabular.files import BoundedStream, SourceFile
from corpus.tabular.json_levels import MOST_LEVELS, is_deep
from corpus.tabular.json_paths import Numeral, column_names, exploded, getter, position_of, steps_to
from corpus.tabular.limits import Limits
from corpus.tabular.physical_lines import (
    EndlessLineError,
    PhysicalLines,
    UndecodableByteError,
    undecodable,
)
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.readers import Dialect, Spot

SAMPLED_LINES = 200


DECODER = json.JSONDecoder(parse_float=Numeral, parse_int=Numeral, parse_constant=Numeral)


class JsonLinesReader:
    """Records of a JSON Lines file.

    Numbers come as `Numeral`, exactly as written; a key that an object lacks as `ABSENT`.

    Parameters
    ----------
    source, stream, dialect, limits, log
        As for `DelimitedReader`; of the dialect only the encoding matters.
    columns
        The dotted names wanted; None for those of the first 200 objects.
    explode
        Path of a list of which each element makes a record.
    """

    delimiter: str | None = None

    def __init__(
        self,
        source: SourceFile,
        stream: BoundedStream,
        dialect: Dialect,
        limits: Limits,
        log: ProblemLog,
        columns: Sequence[str],
        explode: str | None = None,
    ) -> None:
        self.columns = tuple(columns)
        self._name = source.name
        self._limits = limits
        self._log = log
        self._lines = PhysicalLines(stream, source.name, dialect.encoding, limits)
        self.encoding: str | None = self._lines.encoding
        self._explode = explode.replace("[]", "").split(".") if explode else None
        self._getters = [getter(name) for name in self.columns]
        self._line = 0
        self._text = ""
        self._indices: tuple[int, ...] = ()

    def objects(self) -> Iterator[dict[str, Any]]:
        """Yield the objects of the file; `TableError` if there is none."""
        number = self._line
        for number, text in enumerate(self._physical(), 1):
            self._line, self._text = number, text
            record = self._decoded()
            self._lines.release()
            if record is not None:
                yield record
        if not number:
            raise self._empty("one JSON object per line")

    def __iter__(self) -> Iterator[tuple[int, list[Any]]]:
        getters = self._getters
        if self._explode is None:
            for record in self.objects():
                yield self._line, [get(record) for get in getters]
            return
        found, numbered = False, any("[#]" in name for name in self.columns)
        for number, record in enumerate(self.objects(), 1):
            found = found or has_list(record, self._explode)
            if numbered:
                record["[#]"] = str(number)
            for indices, element in exploded(record, self._explode, numbered=numbered):
                self._indices = indices
                yield self._line, [get(element) for get in getters]
        if not found:
            raise no_list(self._name, ".".join(self._explode))

    def spot(self, index: int, label: str | None = None) -> Spot:
        """Say where a value of the record handed out last begins on its line."""
        name = self.columns[index].replace("[#]", "[]")
        plain = name.replace("{name}", label or "{name}")
        steps = steps_to(name, self._indices, label)
        inner = [part for step in steps for part in (str(step).split(".") if label else [step])]
        found = (position_of(self._text, way) for way in (steps, [plain], inner))
        return self._place(next(filter(None, found), None))

    def _place(self, position: int | None) -> Spot:
        """Return the place of a character, counted from 1, of the current record."""
        return Spot(self._line, position)

    def _physical(self) -> Iterator[str]:
        try:
            yield from self._lines
        except UndecodableByteError as error:
            raise TableError(undecodable(self._name, self._line + 1, None, error)) from error
        except EndlessLineError as error:
            raise TableError(
                self._problem(
                    self._line + 1,
                    1,
                    f"a line of more than {self._limits.record_characters} characters",
                    "one JSON object per line",
                    "Write each record on its own line.",
                    "field-size",
                )
            ) from error

    def _decoded(self) -> dict[str, Any] | None:
        """Return the object on the current line; log what is wrong with it and return None."""
        text = self._text
        if text.isspace():
            return None
        found, position = "", 1
        try:
            record = DECODER.decode(text)
        except json.JSONDecodeError as error:
            found, position = error.msg, error.pos + 1
        except RecursionError:
            found = "brackets nested too deep"
        else:
            if isinstance(record, dict):
                return record if self._is_storable(record, text) else None
            found = shorten(text.strip())
        advice = "Write one object in braces per line, with null where there is no value."
        self._log.add(self._problem(self._line, position, found, "a JSON object", advice, "json"))
        return None

    def _is_storable(self, record: dict[str, Any], text: str) -> bool:
        """Log a string that is too long or no text (half a surrogate pair, or NUL), or depth."""
        if text.count("[") + text.count("{") > MOST_LEVELS and is_deep(record):
            found = f"brackets nested more than {MOST_LEVELS} deep"
            advice = "Write the record flat, or leave out what lies so deep."
            self._log.add(self._problem(self._line, None, found, "fewer", advice, "json"))
            return False
        if "\\u" not in text and len(text) <= self._limits.field_characters:
            return True
        for steps, value in strings(record):
            found = ""
            if len(value) > self._limits.field_characters:
                found, code = f"{len(value)} characters", "field-size"
                expected = f"at most {self._limits.field_characters}"
            elif found := unstorable(value):
                expected, code = "text", "nul" if "\0" in value else "encoding"
            if found:
                place = self._place(position_of(self._text, steps))
                advice = "Remove it, or export the file again."
                self._log.add(self._problem(*place, found, expected, advice, code))
                return False
        return True

    def _empty(self, expected: str) -> TableError:
        message = "Leave the file out if the study has no such table."
        return TableError(self._problem(1, None, "an empty file", expected, message, "empty-file"))

    def _problem(
        self, line: int, position: int | None, found: str, expected: str, advice: str, code: str
    ) -> Problem:
        return Problem(
            self._name,
            line=line,
            position=position,
            found=found,
            expected=expected,
            message=advice,
            code=code,
        )


def sampled_columns(reader: JsonLinesReader) -> list[str]:
    """Return the column names of the first objects that a fresh reader yields."""
    return column_names(
        record for _, record in zip(range(SAMPLED_LINES), reader.objects(), strict=False)
    )
