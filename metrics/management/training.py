"""Training a model in the process of a command."""

from typing import Any

from django.core.management.base import CommandError, OutputWrapper

from corpus.jobs.foreground import run_in_foreground
from corpus.jobs.queue import JobActive
from corpus.management.progress_line import ProgressLine
from corpus.models import Job, Study
from corpus.tabular.problems import Problem


def train_in_foreground(
    kind: str,
    key: str,
    study: Study | None,
    parameters: dict[str, Any],
    stderr: OutputWrapper,
    *,
    quiet: bool,
) -> Job:
    """Run the job of a training, showing progress, and return it when it is done.

    Raises
    ------
    CommandError
        If it fails, is cancelled, or the same is being trained; problems of a file are printed.
    """
    line = ProgressLine(stderr)
    tell = None if quiet else line.tell
    try:
        job = run_in_foreground(kind, key, study=study, parameters=parameters, tell=tell)
    except JobActive as error:
        raise CommandError(str(error)) from None
    finally:
        line.clear()
    if job.state != "done":
        for problem in job.result.get("problems", []):
            stderr.write(str(Problem(**problem)))
        raise CommandError(job.error or "cancelled; nothing was stored")
    return job
