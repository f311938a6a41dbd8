"""What commands write: tables of reports, and how a job ended that ran in their process."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from analysis.tables.files import UnknownTable, table_named
from analysis.tables.flat_table import FlatTable, csv_text, json_text
from analysis.tables.latex import latex_table
from corpus.exports.whole_file import whole_file
from corpus.jobs.foreground import run_in_foreground
from corpus.jobs.queue import JobActive
from corpus.models import Job, Study
from corpus.progress import ProgressCallback

TABLES: dict[str, Callable[[FlatTable], str]] = {
    "json": json_text,
    "csv": csv_text,
    "latex": latex_table,
}


def table_text(tables: Sequence[FlatTable], name: str, output_format: str) -> str:
    """Return one of some tables as text; `CommandError` if there is none of this name."""
    try:
        return TABLES[output_format](table_named(tables, name))
    except UnknownTable as error:
        raise CommandError(str(error)) from None


def send_output(written: str | bytes, output: Path | None) -> None:
    """Write to a file, whole or not at all, or to standard output."""
    if output is None:
        # The stream itself: BaseCommand's wrapper would add a line break to a CSV.
        if isinstance(written, bytes):
            sys.stdout.buffer.write(written)
        else:
            sys.stdout.write(written)
        return
    try:
        with whole_file(output) as unfinished:
            unfinished.write_bytes(written if isinstance(written, bytes) else written.encode())
    except OSError as error:
        raise CommandError(f"{output}: {error.strerror}") from None


def finished_job(
    kind: str,
    key: str,
    study: Study,
    parameters: dict[str, Any],
    report: ProgressCallback | None = None,
) -> Job:
    """Run a job in this process and return it when it is done.

    Raises
    ------
    CommandError
        If it failed, or another process works on it.
    """
    try:
        job = run_in_foreground(kind, key, study=study, parameters=parameters, report=report)
    except JobActive as error:
        raise CommandError(str(error)) from None
    except KeyboardInterrupt:
        raise CommandError(
            "stopped; what was done is stored: the same command goes on from there", returncode=130
        ) from None
    if job.state != "done":
        raise CommandError(job.error or f"the job is {job.get_state_display()}")
    return job
