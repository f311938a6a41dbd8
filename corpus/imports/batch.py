"""One import on its way: what it was asked to do and where its rows wait."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from django.db import connection, transaction

from corpus.imports.options import ImportOptions
from corpus.imports.places import Places
from corpus.jobs.progress import Progress
from corpus.models import Job, Segment, Study
from corpus.tables import RowProblem

ROWS_PER_TRANSACTION = 5000
PROBLEMS_KEPT = 101


@dataclass
class Batch:
    """State that the table handlers of one import share."""

    job: Job
    study: Study
    options: ImportOptions
    declarations: dict[str, Any]
    progress: Progress
    file_names: list[str]
    notes: list[str] = field(default_factory=list)
    memory: dict[Any, Any] = field(default_factory=dict)
    row_problems: list[RowProblem] = field(default_factory=list)
    problem_count: int = 0
    sampled_out: set[str] = field(default_factory=set)

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        """Write staged rows, each short chunk in a transaction of its own.

        `rows` hold the values after `job_id`, which this adds.
        """
        names = ", ".join(("job_id", *columns))
        marks = ", ".join(["%s"] * (len(columns) + 1))
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"
        job = self.job.pk
        iterator = iter(rows)
        count = 0
        while chunk := [(job, *row) for row in islice(iterator, ROWS_PER_TRANSACTION)]:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.executemany(statement, chunk)
            count += len(chunk)
            self.progress.report(f"reading {self.file_names[chunk[-1][1]]}", done=count)
        return count

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
        """Ordinals of outputs; read when the first judgement or score asks, texts being numbered."""
        return Places(self)

    def problem(self, problem: RowProblem) -> None:
        """Remember what is wrong with a row that is being staged."""
        self.problem_count += 1
        if len(self.row_problems) < PROBLEMS_KEPT:
            self.row_problems.append(problem)

    def first_time(self, what: str) -> bool:
        """Whether nobody asked for `what` before; two tables may share one check."""
        if what in self.memory:
            return False
        self.memory[what] = True
        return True

    def note(self, text: str) -> None:
        """Remember something that the person who imports should know; once."""
        if text not in self.notes:
            self.notes.append(text)


def query(statement: str, parameters: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Run a SELECT with named parameters and yield its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        while rows := cursor.fetchmany(2000):
            yield from rows


def execute(statement: str, parameters: dict[str, Any]) -> int:
    """Run a statement that changes rows; return how many."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)
