"""Score files of mt-metrics-eval: blocks of lines `SYSTEM SCORE`, a line for each segment."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import repeat
from pathlib import Path

from corpus.formats.offered import Offered
from corpus.formats.writing import write_table
from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping, Wide
from corpus.tabular.problems import Problem, TableError, shorten

NONE = "None"
ASPECT = "overall"
STANDARD = "mqm"
"""The human scores by which the metrics task judges metrics where there are several."""
TOLERANCE = 1e-6
Table = tuple[SourceFile, list[Mapping]]


class ScoreFile:
    """The scores of one metric, or of people, for segments or systems.

    Parameters
    ----------
    files, name
        Where it is.
    title
        The name of the scores; of a metric with the references that it saw.
    level
        ``seg`` or ``sys``.
    systems
        Those that have outputs.
    segments
        How many there are.
    """

    def __init__(
        self, files: Offered, name: str, title: str, level: str, systems: set[str], segments: int
    ) -> None:
        self.name = name
        self.title = title
        self.level = level
        self._files = files
        self._systems = systems
        self._per_system = segments if level == "seg" else 1

    @property
    def base(self) -> str:
        """The name of a metric without what it was compared to."""
        return self.title.rpartition("-")[0] or self.title

    @property
    def compared_to(self) -> str:
        """What a metric was compared to: references, `all` of them, or `src` for none."""
        base, _, found = self.title.rpartition("-")
        return found if base else ""

    @cached_property
    def blocks(self) -> dict[str, bytes]:
        """The lines of each system, in the order of the file."""
        lines = self._files.content(self.name).rstrip().splitlines()
        found: dict[str, bytes] = {}
        for first in range(0, len(lines), self._per_system):
            block = lines[first : first + self._per_system]
            system = (block[0].split(None, 1) or [b""])[0].decode(errors="replace")
            if system in found or system not in self._systems:
                raise self._wrong(first + 1, system, found)
            found[system] = b"\n".join(block)
        return found

    def scores(self, system: str) -> list[str]:
        """Return the scores of a system as they are written; a missing one is ``None``."""
        words = self.blocks[system].decode(errors="replace").split()
        scores = words[1::2]
        try:
            good = words[0::2] == [system] * self._per_system
            good = good and len(scores) == self._per_system
            numbers = [float(score) for score in scores if score != NONE]
            good = good and all(map(math.isfinite, numbers)) and "_" not in "".join(scores)
        except ValueError:
            good = False
        if not good:
            self._explain(system)
        return scores

    def _explain(self, system: str) -> None:
        """Raise the first thing that is wrong with the lines of a system."""
        first = 1 + self._per_system * list(self.blocks).index(system)
        lines = self.blocks[system].decode(errors="replace").splitlines()
        for number, line in enumerate(lines, start=first):
            words = line.split()
            if len(words) != 2:
                expected = "a system and a score"
                raise self._problem(number, shorten(line), expected, "Correct the line.", "fields")
            if words[0] != system:
                raise self._count(number, words[0], number - first, system)
            if not _is_score(words[1]):
                expected = f"a number, or {NONE}"
                raise self._problem(number, words[1], expected, "Correct the score.", "number")
        raise self._count(first + len(lines), "the end of the file", len(lines), system)

    def _wrong(self, line: int, system: str, found: dict[str, bytes]) -> TableError:
        """Say what is wrong with the name of a block."""
        if system in found:
            last = list(found)[-1]
            if system == last:
                expected = f"{self._per_system} scores of {system}, one for each line of the source"
                message = "Correct the number of lines."
                return self._problem(line, f"more scores of {system}", expected, message, "fields")
            return self._problem(
                line, system, "each system once", "Keep one block of scores.", "duplicate"
            )
        expected = "a system that has a file in system-outputs"
        return self._problem(line, system, expected, "Correct the name.", "unknown-system")

    def _count(self, line: int, found: str, count: int, system: str) -> TableError:
        expected = f"{self._per_system} scores of {system}; there are {count}"
        message = "There is one line for each line of the source file, in its order."
        return self._problem(line, found, expected, message, "line-count")

    def _problem(self, line: int, found: str, expected: str, message: str, code: str) -> TableError:
        return TableError(Problem(self.name, line, None, 1, found, expected, message, code))


def _is_score(text: str) -> bool:
    try:
        return text == NONE or ("_" not in text and math.isfinite(float(text)))
    except ValueError:
        return False


def metric_tables(scores: Sequence[ScoreFile], folder: Path, prefix: str) -> list[Table]:
    """Write the scores of metrics: a column each, in a file for each of what they compared to.

    Metrics that score other systems than most come in files of their own, so that no file has
    empty cells in all its rows.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[ScoreFile]] = {}
    for score in scores:
        if score.level == "seg":
            key = (score.compared_to, tuple(sorted(score.blocks)))
            groups.setdefault(key, []).append(score)
    tables: list[Table] = []
    taken: dict[str, int] = {}
    for (compared_to, systems), group in groups.items():
        taken[compared_to] = taken.get(compared_to, 0) + 1
        number = f"-{taken[compared_to]}" if taken[compared_to] > 1 else ""
        columns = ["segment", "system", *(f"score {score.base}" for score in group)]
        mapping = Mapping(
            "metric_scores",
            columns={"segment": "segment", "system": "system"},
            constants={"compared_to": compared_to} if compared_to else {},
            wide=Wide("metric", "score", tuple(columns[2:]), "score {name}", skip_empty=True),
            missing=(NONE,),
        )
        name = f"{prefix}metric-scores{compared_to and '-'}{compared_to}{number}.csv"
        tables.append((write_table(folder, name, columns, _wide(group, systems)), [mapping]))
    of_systems = [score for score in scores if score.level == "sys"]
    if of_systems:
        columns = ["system", "metric", "compared_to", "score"]
        released = Mapping("system_scores", columns={name: name for name in columns})
        file = write_table(folder, f"{prefix}system-scores.csv", columns, _of_systems(of_systems))
        tables.append((file, [released]))
    return tables


def _wide(group: Sequence[ScoreFile], systems: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for system in systems:
        columns = [score.scores(system) for score in group]
        for number, row in enumerate(zip(*columns, strict=True), start=1):
            yield str(number), system, *row


def _of_systems(scores: Sequence[ScoreFile]) -> Iterator[tuple[str, ...]]:
    for score in scores:
        for system in score.blocks:
            [value] = score.scores(system)
            if value != NONE:
                yield system, score.base, score.compared_to, value


def human_tables(
    scores: Sequence[ScoreFile], folder: Path, prefix: str, notes: list[str]
) -> list[Table]:
    """Write the scores that people gave to segments; note what is missing or differs."""
    segments = {score.title: score for score in scores if score.level == "seg"}
    for score in scores:
        if score.level == "sys":
            _compare(score, segments.get(score.title), notes)
    if not segments:
        return []
    columns = ["segment", "system", "campaign", "score"]
    mapping = Mapping(
        "ratings",
        columns={name: name for name in columns},
        constants={"aspect": ASPECT},
    )
    # Of equal measures reports take the first by default.
    ordered = sorted(segments.values(), key=lambda score: score.title != STANDARD)
    rows = (row for score in ordered for row in _rated(score, notes))
    return [(write_table(folder, f"{prefix}human-scores.csv", columns, rows), [mapping])]


def _rated(score: ScoreFile, notes: list[str]) -> Iterator[tuple[str, ...]]:
    missing = total = 0
    for system in score.blocks:
        values = score.scores(system)
        total += len(values)
        missing += values.count(NONE)
        rows = zip(map(str, range(1, len(values) + 1)), repeat(system), values)
        yield from ((n, s, score.title[:100], value) for n, s, value in rows if value != NONE)
    if missing:
        notes.append(f"{score.title}: {missing:,} of {total:,} scores are None, so not rated.")


def _compare(released: ScoreFile, segments: ScoreFile | None, notes: list[str]) -> None:
    """Note where released human scores of systems are not the means of those of segments."""
    if segments is None:
        notes.append(
            f"{released.name}: human scores of systems without any of segments are passed over."
        )
        return
    different = []
    for system in released.blocks:
        [value] = released.scores(system)
        rated = (
            [float(each) for each in segments.scores(system) if each != NONE]
            if (system in segments.blocks)
            else []
        )
        if value == NONE or not rated:
            continue
        mean = math.fsum(rated) / len(rated)
        if not math.isclose(float(value), mean, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            different.append(system)
    if different:
        notes.append(
            f"{released.name}: the released scores of {len(different)} of {len(released.blocks)} "
            f"systems are not the means of their segments' scores ({', '.join(different[:5])}); "
            "reports compute means."
        )
