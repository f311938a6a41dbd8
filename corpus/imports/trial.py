"""A table read as an import would read it, without storing anything: for the mapping page."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.shaping.blocks import Block, Record
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping

MOST_RECORDS = 20_000
"""Of each table of a file; the rest of the file is read by the import alone."""
RECORDS_SHOWN = 4
PROBLEMS_SHOWN = 3
LONGEST_VALUE = 160
_UNCOUNTED = frozenset({"against", "compared_to", "text_setting", "signature", "recipe"})
_NOTHING: tuple[Any, ...] = ("", None, (), {})


@dataclass
class Trial:
    """What came of the first records of a table.

    Attributes
    ----------
    spec
        The table.
    shown
        Line and values of the first records, by the names of their fields.
    records
        How many were read.
    is_whole
        Whether the file was read to its end.
    count_of_problems, problems
        How many problems there are, and the first of them.
    passed_over
        What was passed over on purpose, counted in words.
    names
        Key field to its different values, in the order of appearance.
    scores
        The lowest and the highest, if there are any.
    """

    spec: TableSpec
    shown: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    records: int = 0
    is_whole: bool = True
    count_of_problems: int = 0
    problems: tuple[Problem, ...] = ()
    passed_over: list[str] = field(default_factory=list)
    names: dict[str, dict[str, None]] = field(default_factory=dict)
    scores: list[float] = field(default_factory=list)

    @property
    def title(self) -> str:
        """What the table is called."""
        return self.spec.name.replace("_", " ")

    @property
    def count(self) -> str:
        """How many records there are, such as "54 ratings"."""
        at_least = "" if self.is_whole else "more than "
        if self.title.endswith("s"):
            return f"{at_least}{_counted(self.records, self.title)}"
        return f"{at_least}{_counted(self.records, 'rows')} of a {self.title}"

    @property
    def summary(self) -> str:
        """What the records are about: which keys there are, and between which numbers they lie."""
        parts = [
            _named(name, values)
            for name, values in self.names.items()
            if values and name not in _UNCOUNTED and f"{name}s" != self.spec.name
        ]
        if self.scores:
            # Adding 0 turns -0.0 into 0.0.
            parts.append("scores from {:g} to {:g}".format(*(score + 0 for score in self.scores)))
        return ", ".join(parts)

    @property
    def remarks(self) -> list[str]:
        """What is passed over, or cut off."""
        said = [f"{words}." for words in self.passed_over]
        if not self.is_whole:
            first = f"This holds for the first {self.records:,} records"
            said.append(f"{first}; the import reads the rest.")
        return said

    @property
    def refusal(self) -> str:
        """Why an import would be refused; empty if it would not, as far as was read."""
        problems = _counted(self.count_of_problems, "problems")
        return f"{problems} while reading {self.title}." if self.count_of_problems else ""

    @property
    def columns(self) -> list[str]:
        """The fields that any of the first records has."""
        return list(dict.fromkeys(name for _, each in self.shown for name in each))

    @property
    def rows(self) -> list[tuple[int, list[str]]]:
        """Line and values of the first records, as texts."""
        names = self.columns
        return [(line, [_shown(each.get(name)) for name in names]) for line, each in self.shown]


def try_table(
    reading: ConfinedReading, source: SourceFile, mapping: Mapping, spec: TableSpec
) -> Trial:
    """Read the first records of a table; what is wrong is in the answer, nothing is raised.

    Parameters
    ----------
    reading
        By which the file is opened.
    source, mapping, spec
        The file, how it is read, and the table.
    """
    log = ProblemLog(PROBLEMS_SHOWN)
    trial = Trial(spec)
    for block in reading.blocks(source, mapping, spec, log, MOST_RECORDS):
        trial.records += len(block)
        _note_names(trial, block)
        wanted = RECORDS_SHOWN - len(trial.shown)
        trial.shown += [_by_name(spec, record) for record in islice(block.records(), wanted)]
    if trial.shown:
        with suppress(TableError):  # The time of the page is up, which the log says.
            lines = reading.lines_of(source, {row for row, _ in trial.shown})
            trial.shown = [(lines.get(row, row), values) for row, values in trial.shown]
    trial.is_whole = trial.records < MOST_RECORDS and not reading.is_cut
    trial.records = min(trial.records, MOST_RECORDS)
    trial.count_of_problems, trial.problems = log.count, log.problems
    trial.passed_over = log.counted()
    return trial


def _by_name(spec: TableSpec, record: Record) -> tuple[int, dict[str, Any]]:
    """Return line and values of a record, those that say nothing left out."""
    line, values = record
    named = dict(zip(spec.names, values, strict=False))
    if spec.keep_other_columns_as_attributes:
        named |= values[-1]
    return line, {name: value for name, value in named.items() if value not in _NOTHING}


def _note_names(trial: Trial, block: Block) -> None:
    """Note which keys there are, and between which numbers the scores lie."""
    for number, each in enumerate(trial.spec.fields):
        if each.kind == "key":
            spread = block.labels and number == block.spread[0]
            values: Collection[Any] = block.labels if spread else block.columns[number]
            said = dict.fromkeys(value for value in values if value not in _NOTHING)
            trial.names.setdefault(each.name, {}).update(said)
        elif each.name == "score":
            scores = [value for value in _scores(block, number) if isinstance(value, int | float)]
            if scores := [*trial.scores, *scores]:
                trial.scores = [min(scores), max(scores)]


def _scores(block: Block, number: int) -> Iterator[Any]:
    if block.labels and number == block.spread[1]:
        for row in block.cells:
            yield from row
    else:
        yield from block.columns[number]


def _named(name: str, values: Collection[str]) -> str:
    words = name.replace("_", " ")
    if len(values) == 1:
        return f"{words} “{shorten(next(iter(values)), 40)}”"
    return _counted(len(values), f"{words}s")


def _counted(number: int, plural: str) -> str:
    return f"{number:,} {plural.removesuffix('s') if number == 1 else plural}"


def _shown(value: Any) -> str:
    if isinstance(value, tuple | list):
        value = " | ".join(map(str, value))
    elif isinstance(value, dict):
        value = ", ".join(f"{key}: {each}" for key, each in value.items())
    elif isinstance(value, float):
        value = f"{value:g}"
    return shorten("" if value is None else value, LONGEST_VALUE)
