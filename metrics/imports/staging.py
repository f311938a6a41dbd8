"""What an import brings, on its way in: numbers packed in a file without a name, and their runs.

A score is 20 bytes here, and a row of the database would be five times that, written twice. What
is missing waits in the database, for its reason.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpus.imports.batch import Batch
from metrics.catalogue import UNKNOWN, MetricFacts, declared_metric, known_metric
from metrics.runs.names import all_names

NUMBER = np.dtype(
    [("file", "<u2"), ("line", "<u4"), ("field", "<u2"), ("ordinal", "<u4"), ("value", "<f8")]
)
HELD = 100_000
Numbers = NDArray[Any]
"""Some of `NUMBER`; a missing value is NaN."""


class StagedNumbers:
    """The numbers of one import.

    Parameters
    ----------
    file
        Empty; whoever opened it closes it.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._runs: list[NDArray[np.intp]] = []
        self._numbers: list[Numbers] = []
        self._held = 0
        self._places: dict[int, list[tuple[int, int]]] = {}

    def add(self, runs: NDArray[np.intp], numbers: Numbers) -> None:
        """Put numbers behind those of their runs, which are named by their places."""
        self._runs.append(runs)
        self._numbers.append(numbers)
        self._held += len(numbers)
        if self._held >= HELD:
            self._write()

    def of(self, run: int) -> Numbers:
        """Return the numbers of a run in the order in which they came."""
        self._write()
        places = self._places.get(run, ())
        found = np.empty(sum(count for _, count in places), dtype=NUMBER)
        start = 0
        for offset, count in places:
            self._file.seek(offset)
            found[start : start + count] = np.frombuffer(
                self._file.read(count * NUMBER.itemsize), dtype=NUMBER
            )
            start += count
        return found

    def _write(self) -> None:
        if not self._held:
            return
        runs, numbers = np.concatenate(self._runs), np.concatenate(self._numbers)
        order = np.argsort(runs, kind="stable")
        offset = self._file.seek(0, 2)
        self._file.write(numbers[order].data)
        names, counts = np.unique(runs, return_counts=True)
        for run, count in zip(names.tolist(), counts.tolist(), strict=True):
            self._places.setdefault(run, []).append((offset, count))
            offset += count * NUMBER.itemsize
        self._runs, self._numbers, self._held = [], [], 0


def staged_numbers(batch: Batch) -> StagedNumbers:
    """Return the numbers that this import has read so far."""
    if "numbers" not in batch.memory:
        batch.memory["numbers"] = StagedNumbers(
            batch.opened.enter_context(TemporaryFile(dir=batch.folder))  # noqa: SIM115
        )
    numbers: StagedNumbers = batch.memory["numbers"]
    return numbers


def numbered(
    file: int,
    lines: Sequence[int] | NDArray[np.int64],
    fields: Sequence[int] | NDArray[np.int64],
    ordinals: Sequence[int] | NDArray[np.int32],
    values: Sequence[float | None] | NDArray[np.float64],
) -> Numbers:
    """Return numbers of a file as they are kept."""
    numbers = np.empty(len(lines), dtype=NUMBER)
    columns = (file, lines, fields, ordinals, np.asarray(values, dtype=np.float64))
    for name, column in zip(NUMBER.names or (), columns, strict=True):
        numbers[name] = column
    return numbers


class RunKey(NamedTuple):
    """What tells one imported run of a study from another."""

    metric: str
    aspect: str
    compared_to: str
    text_setting: str
    is_distribution: bool
    """Whether it comes in the table of style distributions."""
    given: str = ""
    """Signature of a run that was computed elsewhere."""

    @property
    def signature(self) -> str:
        """The run's signature, in the manner of sacreBLEU."""
        if self.given:
            return self.given
        parts = [
            ("aspect", self.aspect),
            ("compared-to", self.compared_to),
            ("text", self.text_setting),
            ("kind", "distribution" if self.is_distribution else ""),
            ("origin", "imported"),
        ]
        return "|".join([self.metric, *(f"{key}:{value}" for key, value in parts if value)])


class DescribedRun(NamedTuple):
    """A run that was computed elsewhere, as a bundle describes it."""

    signature: str
    metric: str
    aspect: str
    compared_to: str
    text_setting: str
    is_distribution: bool
    fields: tuple[str, ...]
    request: dict[str, Any]
    versions: dict[str, Any]
    name: str = ""
    """What the study that it comes from calls it; empty in archives that do not say it."""

    @property
    def names(self) -> list[str]:
        """The name of the run and those of its numbers, if it has one."""
        if not self.name:
            return []
        return all_names(self.name, self.fields, is_distribution=self.is_distribution)

    @property
    def columns(self) -> list[str]:
        """Names of its numbers in the table of scores: fields, then sufficient statistics."""
        return [*self.fields, *statistic_fields(self.versions.get("statistics", ()))]

    @property
    def key(self) -> RunKey:
        """The run among those of an import."""
        named = (self.metric, self.aspect, self.compared_to, self.text_setting)
        return RunKey(*named, is_distribution=False, given=self.signature)


class StagedRuns:
    """The runs of one import in order of appearance; staged numbers name them by place."""

    def __init__(self) -> None:
        self.keys: list[RunKey] = []
        self.fields: list[list[str]] = []
        self._places: dict[RunKey, int] = {}

    def place(self, key: RunKey) -> int:
        """Return a run's place, giving it one if it is new."""
        if key not in self._places:
            self._places[key] = len(self.keys)
            self.keys.append(key)
            self.fields.append([])
        return self._places[key]

    def field_place(self, run: int, name: str) -> int:
        """Return a field's place in its run, giving it one if it is new."""
        names = self.fields[run]
        if name not in names:
            names.append(name)
        return names.index(name)

    def of(self, *, is_distribution: bool) -> list[int]:
        """Places of the runs of one table."""
        return [i for i, key in enumerate(self.keys) if key.is_distribution == is_distribution]


def staged_runs(batch: Batch) -> StagedRuns:
    """Return the runs that this import has met so far."""
    runs: StagedRuns = batch.memory.setdefault("runs", StagedRuns())
    return runs


STATISTIC = "statistic:"


def statistic_fields(names: Iterable[str]) -> list[str]:
    """Name sufficient statistics alongside the numbers of a run."""
    return [f"{STATISTIC}{name}" for name in names]


def described_runs(batch: Batch) -> dict[str, DescribedRun]:
    """Return the runs computed elsewhere that this import describes, by their names in it."""
    described: dict[str, DescribedRun] = batch.memory.setdefault("described runs", {})
    return described


def metric_facts(batch: Batch, name: str) -> MetricFacts:
    """Return what the study declares of a metric, else what the catalogue knows, else unknown."""
    declared = batch.declarations.get("metrics", {}).get(name)
    known = known_metric(name) or UNKNOWN
    if declared is None:
        return known
    facts = declared_metric(declared, name)
    # What a metric measures says nothing of which way is better.
    only_measured = set(declared) <= {"family", "aspect"}
    return replace(known, aspect=facts.aspect or known.aspect) if only_measured else facts


def metric_aspect(batch: Batch, name: str) -> str:
    """Return the aspect that a metric is known to measure, where its table does not say."""
    try:
        return metric_facts(batch, name).aspect
    except ValueError:
        return ""  # a bad declaration is reported by the checks
