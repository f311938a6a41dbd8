"""One import on its way: what it was asked to do and where its rows wait."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import connection

from corpus.imports.options import ImportOptions
from corpus.imports.places import Places
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import execute, query, refresh_statistics, write_rows
from corpus.jobs.progress import Progress, holding
from corpus.models import Job, Segment, Study
from corpus.tabular.shaping.mapping import Mapping
from corpus.vocabulary.names import REFERENCE

ROWS_PER_TRANSACTION = 5000
BYTES_PER_TRANSACTION = 16 << 20
ROWS_PER_DELETION = 20_000
PROBLEMS_KEPT = 100


@dataclass
class Batch:
    """State that the table handlers of one import share."""

    job: Job
    study: Study
    options: ImportOptions
    declarations: dict[str, Any]
    progress: Progress
    file_names: list[str]
    folder: Path
    """For files of this import, which are gone when it ends."""
    opened: ExitStack = field(default_factory=ExitStack)
    """Closes those that are open."""
    notes: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    """What handlers add to the result of the import, by name."""
    memory: dict[Any, Any] = field(default_factory=dict)
    problems: dict[str, list[RowProblem]] = field(default_factory=dict)
    problem_counts: Counter[str] = field(default_factory=Counter)
    rows_read: Counter[tuple[str, int]] = field(default_factory=Counter)
    read_bytes: Callable[[], int] = int
    """How much text has been read so far."""
    sampled_out: set[str] = field(default_factory=set)
    mappings: list[list[Mapping]] = field(default_factory=list)
    """Of each file; those behind the last are entries of `study.json`."""

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        """Write staged rows, each short chunk in a transaction of its own.

        `rows` hold the values after `job_id`, of which the file is the first.
        """
        count = 0
        for chunk in self._chunks(rows):
            self.write(table, columns, chunk)
            count += len(chunk)
            self.report_read(table, chunk[-1][0], len(chunk))
        if count:
            refresh_statistics(table)
        return count

    def write(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Write some staged rows in a transaction of their own."""
        job = self.job.pk
        with self.writing():
            write_rows(table, ("job_id", *columns), [(job, *row) for row in rows])

    def report_read(self, table: str, file: int, rows: int) -> None:
        """Report that more rows of a file have been read."""
        self.rows_read[table, file] += rows
        rows_so_far = self.rows_read[table, file]
        self.progress.report(
            f"reading {self.file_names[file]}: {rows_so_far:,} rows", done=rows_so_far
        )

    def _chunks(self, rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
        """Yield the rows of one transaction at a time: few where texts are long."""
        chunk: list[Sequence[Any]] = []
        read_before = self.read_bytes()
        for row in rows:
            chunk.append(row)
            is_long = self.read_bytes() - read_before > BYTES_PER_TRANSACTION
            if len(chunk) == ROWS_PER_TRANSACTION or is_long:
                yield chunk
                chunk, read_before = [], self.read_bytes()
        if chunk:
            yield chunk

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold a transaction in which this worker certainly still has the job.

        Raises
        ------
        LeaseLost
            If another worker took the job over; what is staged belongs to that one.
        """
        with holding(self.job):
            yield

    def discard(self, table: str) -> None:
        """Remove this import's rows of a staging table, some at a time: raters must not wait."""
        statement = f"""DELETE FROM {table} WHERE id IN
            (SELECT id FROM {table} WHERE job_id = %(job)s LIMIT {ROWS_PER_DELETION})"""  # noqa: S608
        removed = ROWS_PER_DELETION
        while removed == ROWS_PER_DELETION:
            with holding(self.job, even_if_cancelled=True):
                removed = execute(statement, {"job": self.job.pk})

    def delete(self, table: str, ids: Iterable[int]) -> None:
        """Remove staged rows by their ids, in short transactions."""
        iterator = iter(ids)
        while chunk := [(row,) for row in islice(iterator, ROWS_PER_DELETION)]:
            with self.writing(), connection.cursor() as cursor:
                cursor.executemany(f"DELETE FROM {table} WHERE id = %s", chunk)  # noqa: S608

    @cached_property
    def segment_keys(self) -> set[str]:
        """Keys of the segments that are stored or staged; read when the first text asks."""
        stored = Segment.objects.filter(study=self.study).values_list("key", flat=True)
        staged = query(
            "SELECT key FROM corpus_stagedsegment WHERE job_id = %(job)s", {"job": self.job.pk}
        )
        return {*stored.iterator(chunk_size=20_000), *(row[0] for row in staged)}

    @cached_property
    def places(self) -> Places:
        """Ordinals of outputs; read when the first judgement asks, the texts being numbered."""
        roles = self.options.system_roles
        references = {name for name, role in roles.items() if role == REFERENCE}
        return Places(self.study, self.job, self.sampled_out, references)

    def problem(self, problem: RowProblem) -> None:
        """Remember what is wrong with a staged row, the first ones of each kind; count all."""
        self.problem_counts[problem.code] += 1
        kept = self.problems.setdefault(problem.code, [])
        if len(kept) < PROBLEMS_KEPT:
            kept.append(problem)

    def faulty(
        self, code: str, statement: str, parameters: dict[str, Any]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the first rows of a SELECT that finds faults, and count the others under `code`.

        The last column of the SELECT is `COUNT(*) OVER ()`; it is taken off.
        """
        shown = total = 0
        for *row, total in query(f"{statement} LIMIT {PROBLEMS_KEPT}", parameters):  # noqa: B007
            shown += 1
            yield tuple(row)
        self.problem_counts[code] += total - shown

    def first_time(self, what: str) -> bool:
        """Whether nobody asked for `what` before; two tables may share one check."""
        if what in self.memory:
            return False
        self.memory[what] = True
        return True

    def mapping(self, file: int, table: str) -> Mapping | None:
        """Return how a table is read from a file; None of an entry in `study.json`."""
        found = self.mappings[file] if 0 <= file < len(self.mappings) else []
        return next((mapping for mapping in found if mapping.table == table), None)

    def note(self, text: str) -> None:
        """Remember something that the person who imports should know; once."""
        if text not in self.notes:
            self.notes.append(text)
