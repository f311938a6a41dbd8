"""One import on its way: what it was asked to do and where its rows wait."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db import connection, transaction

from corpus.imports.options import ImportOptions
from corpus.jobs.progress import Progress
from corpus.models import Job, Study

ROWS_PER_TRANSACTION = 5000


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
