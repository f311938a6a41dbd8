"""XML and SGML files of records that lie flat in their elements, streamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from corpus.tabular.elements import PATH, Record, Records, Survey
from corpus.tabular.files import BoundedStream, SourceFile, check_columns, open_bytes
from corpus.tabular.guarded_xml import GuardedParser
from corpus.tabular.json_paths import ABSENT, label_in
from corpus.tabular.limits import Limits
from corpus.tabular.problems import Problem, ProblemLog, TableError, unstorable_text
from corpus.tabular.readers import Dialect
from corpus.tabular.sgml import SgmlParser

SAMPLED_RECORDS = 200


class XmlReader:
    """Records of a marked-up file: elements of one name that repeats.

    Their attributes and the elements in them are columns, and so are the attributes of the
    elements around them and texts that stand there before them: ``doc.docid``. White space at
    both ends of a text is none of it.

    Parameters
    ----------
    source, stream, dialect, limits, log
        As for `DelimitedReader`; of the dialect only the encoding matters.
    columns
        The columns wanted; None for those of the first 200 records.
    explode
        Name of the element; None for the outermost one that repeats and is flat.
    """

    delimiter: str | None = None

    def __init__(
        self,
        source: SourceFile,
        stream: BoundedStream,
        dialect: Dialect,
        limits: Limits,
        log: ProblemLog,
        columns: Sequence[str] | None = None,
        explode: str | None = None,
    ) -> None:
        self._source = source
        self._limits = limits
        self._log = log
        self._stream = stream
        self._explode = explode
        self.encoding: str | None = dialect.encoding
        self._record = Record((1, 1), {}, {})
        if explode:
            self._element = explode.lower() if source.format == "sgml" else explode
        else:
            with open_bytes(source, limits) as survey:
                self._element = Survey(self._parser()).element(survey)
        self.columns = tuple(columns) if columns is not None else self._sampled()

    def _parser(self) -> GuardedParser | SgmlParser:
        if self._source.format == "sgml":
            return SgmlParser(self._source.name, self._limits, self.encoding)
        return GuardedParser(self._source.name, self._limits, self.encoding)

    def _sampled(self) -> tuple[str, ...]:
        with open_bytes(self._source, self._limits) as stream:
            first = list(islice(self._records(stream), SAMPLED_RECORDS))
        names = dict.fromkeys(name for record in first for name in record.values)
        if len({record.values[PATH] for record in first}) < 2:
            names.pop(PATH, None)
        check_columns(self._source.name, list(names), self._limits)
        return tuple(names)

    def _records(self, stream: BoundedStream) -> Iterator[Record]:
        limits = self._limits
        parser = self._parser()
        records = Records(parser, self._element, limits.record_characters, 2 * limits.columns)
        for _ in parser.feed(stream):
            yield from records.found
            records.found = []

    def __iter__(self) -> Iterator[tuple[int, list[Any]]]:
        found, getters = False, [_getter(name) for name in self.columns]
        for self._record in self._records(self._stream):  # noqa: B020
            found = True
            values = self._record.values
            if self._is_sound(values):
                yield self._record.place[0], [get(values) for get in getters]
        if self._explode and not found:
            expected = f"a list called {self._explode}"
            advice = "No record has such a list. Correct explode in the mapping, or take it out."
            raise TableError(
                Problem(
                    self._source.name,
                    None,
                    "explode",
                    None,
                    self._explode,
                    expected,
                    advice,
                    "mapping",
                )
            )

    def _is_sound(self, values: dict[str, str]) -> bool:
        """Log a value that is too long or holds a NUL character."""
        limit = self._limits.field_characters
        for name, value in values.items():
            if len(value) <= limit and "\0" not in value:
                continue
            line, position = self._record.places.get(name, self._record.place)
            self._log.add(
                unstorable_text(
                    self._source.name, value, limit, line=line, column=name, position=position
                )
            )
            return False
        return True


def _getter(name: str) -> Callable[[dict[str, str]], Any]:
    """Return a function that takes a value, or all that match a pattern, out of a record."""
    if "{name}" not in name:
        return lambda values: values.get(name, ABSENT)
    start, _, end = name.partition("{name}")

    def family(values: dict[str, str]) -> dict[str, str]:
        found = ((label_in(key, start, end), value) for key, value in values.items())
        return {label: value for label, value in found if label}

    return family
