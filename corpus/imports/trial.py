"""A table read as an import would read it, without storing anything: for the mapping page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from corpus.imports.places import PSEUDO_SYSTEMS
from corpus.models import Output, Study
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
KEYS_NAMED = 5
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
    stored
        How many are of segments that the study has already.
    count_of_problems, problems
        How many problems there are, and the first of them.
    passed_over
        What was passed over on purpose, counted in words.
    names
        Key field to its different values, in the order of appearance.
    scores
        The lowest and the highest, if there are any.
    pairs
        Segment and system of each record that says something.
    unknown_segments, unknown_outputs
        Of those, what neither the study nor its upload has.
    is_left_to_import
        Whether that could not be told, because not all was read that may give them.
    """

    spec: TableSpec
    shown: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    records: int = 0
    is_whole: bool = True
    stored: int = 0
    count_of_problems: int = 0
    problems: tuple[Problem, ...] = ()
    passed_over: list[str] = field(default_factory=list)
    names: dict[str, dict[str, None]] = field(default_factory=dict)
    scores: list[float] = field(default_factory=list)
    pairs: dict[tuple[str, str], None] = field(default_factory=dict)
    unknown_segments: tuple[str, ...] = ()
    unknown_outputs: tuple[tuple[str, str], ...] = ()
    is_left_to_import: bool = False

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
        """What is passed over, stored already, or cut off."""
        said = [f"{words}." for words in self.passed_over]
        if self.stored:
            said.append(
                f"{self.stored:,} of these segments are already stored: their texts stay as "
                "they are, and they may gain references and attributes."
            )
        if self.is_left_to_import:
            said.append("The import checks that all their segments and outputs exist.")
        if not self.is_whole:
            first = f"This holds for the first {self.records:,} records"
            said.append(f"{first}; the import reads the rest.")
        return said

    @property
    def refusal(self) -> str:
        """Why an import would be refused; empty if it would not, as far as was read."""
        said = []
        if self.count_of_problems:
            problems = _counted(self.count_of_problems, "problems")
            said.append(f"{problems} while reading {self.title}.")
        outputs = [f"{system} of {key}" for key, system in self.unknown_outputs]
        for unknown, what in ((self.unknown_segments, "segments"), (outputs, "outputs")):
            if unknown:
                more = ", …" if len(unknown) > KEYS_NAMED else ""
                named = ", ".join(shorten(each, 40) for each in unknown[:KEYS_NAMED])
                said.append(
                    f"{_counted(len(unknown), what)} that {self.title} name "
                    f"{'is' if len(unknown) == 1 else 'are'} neither in these files nor in the "
                    f"study: {named}{more}."
                )
        return " ".join(said)

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
    reading: ConfinedReading, study: Study, source: SourceFile, mapping: Mapping, spec: TableSpec
) -> Trial:
    """Read the first records of a table; what is wrong is in the answer, nothing is raised.

    Parameters
    ----------
    reading
        By which the file is opened.
    study
        Whose segments may be stored already.
    source, mapping, spec
        The file, how it is read, and the table.
    """
    log = ProblemLog(PROBLEMS_SHOWN)
    trial = Trial(spec)
    for block in reading.blocks(source, mapping, spec, log, MOST_RECORDS):
        trial.records += len(block)
        _note_names(trial, block)
        _note_pairs(trial, block)
        wanted = RECORDS_SHOWN - len(trial.shown)
        trial.shown += [_by_name(spec, record) for record in islice(block.records(), wanted)]
    lines: dict[int, int] = {}
    with suppress(TableError):  # The time of the page is up, which the log says.
        lines = reading.lines_of(source, mapping, {row for row, _ in trial.shown})
    trial.shown = [(lines.get(row, row), values) for row, values in trial.shown]
    trial.is_whole = trial.records < MOST_RECORDS and not reading.is_cut
    trial.records = min(trial.records, MOST_RECORDS)
    trial.count_of_problems, trial.problems = log.count, log.problems
    trial.passed_over = log.counted()
    if spec.name == "segments":
        known = study.segments.filter(key__in=list(trial.names.get("segment", ()))[:MOST_RECORDS])
        trial.stored = known.count()
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


def _note_pairs(trial: Trial, block: Block) -> None:
    """Note of which outputs the records are; one without an answer is passed over by the import."""
    names = trial.spec.names
    if "segment" not in names:
        return
    segment = names.index("segment")
    systems = [names.index(name) for name in ("system", "against") if name in names]
    answers = [names.index(name) for name in ("score", "judgement") if name in names]
    for _, values in block.records() if systems else ():
        if not answers or any(values[place] not in _NOTHING for place in answers):
            for place in systems:
                if values[place]:
                    trial.pairs[values[segment], values[place]] = None


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


def note_unknown(study: Study, trials: Sequence[Trial], *, is_all: bool) -> None:
    """Note in each trial the segments and outputs that neither study nor upload has.

    Parameters
    ----------
    study
        What it holds is known.
    trials
        Of the tables of one upload.
    is_all
        Whether no other table comes with them. If one does, or if one was not read whole, keys
        that nothing is seen to give are left to the import, and the trial says so.
    """
    of_segments = [trial for trial in trials if trial.spec.name == "segments"]
    of_outputs = [trial for trial in trials if trial.spec.name == "outputs"]
    segments = {key for trial in of_segments for key in trial.names.get("segment", ())}
    outputs = {pair for trial in of_outputs for pair in trial.pairs}
    for trial in trials:
        if trial.spec.name == "segments" or not trial.pairs:
            continue
        named = dict.fromkeys(key for key, _ in trial.pairs if key not in segments)
        if named:
            stored = study.segments.filter(key__in=list(named)).values_list("key", flat=True)
            for key in stored:
                del named[key]
        pairs: dict[tuple[str, str], None] = {}
        if trial.spec.name != "outputs":
            pairs = {
                pair: None
                for pair in trial.pairs
                if pair not in outputs and pair[0] not in named and pair[1] not in PSEUDO_SYSTEMS
            }
            for pair in _stored_outputs(study, pairs):
                pairs.pop(pair, None)
        givers = [*(of_segments if named else ()), *(of_outputs if pairs else ())]
        if is_all and all(each.is_whole and not each.count_of_problems for each in givers):
            trial.unknown_segments, trial.unknown_outputs = tuple(named), tuple(pairs)
        elif named or pairs:
            trial.is_left_to_import = True


def _stored_outputs(study: Study, pairs: dict[tuple[str, str], None]) -> set[tuple[str, str]]:
    """Return segment and system of each output that is stored, of those that are asked for."""
    systems = study.systems.filter(name__in={system for _, system in pairs})
    if not pairs or not systems.exists():
        return set()
    found = Output.objects.filter(
        study=study, system__in=systems, segment__key__in={key for key, _ in pairs}
    )
    return set(found.values_list("segment__key", "system__name"))
