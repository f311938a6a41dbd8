"""Numbers of an import on their way in: packed in a file without a name, run by run.

A score is 20 bytes here, and a row of the database would be five times that, written twice. What
is missing waits in the database beside, for its reason.
"""

from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from corpus.imports.batch import Batch

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
