"""What commands share that do a job in their own process."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.jobs.foreground import run_in_foreground
from corpus.jobs.queue import JobActive
from corpus.management.arguments import ProgressLine
from corpus.models import Job, Study
from corpus.tabular.problems import Problem


class JobCommand(BaseCommand):
    """Does a job in the foreground; if it is killed, a worker starts it again."""

    def finished(
        self,
        kind: str,
        key: str,
        study: Study | None,
        parameters: dict[str, Any],
        *,
        verbosity: int,
        kept: str = "nothing was stored",
    ) -> Job:
        """Do a job, showing progress, and return it when it is done; write its notes.

        Parameters
        ----------
        kind, key, study, parameters
            As for `run_in_foreground`.
        verbosity
            The option of the command; progress is not shown at 0.
        kept
            What is left of a job that somebody stops.

        Raises
        ------
        CommandError
            If the same is done elsewhere, if it failed, or if somebody pressed Ctrl-C.
        """
        line = ProgressLine(self.stderr)
        report = line.report if verbosity else None
        try:
            job = run_in_foreground(kind, key, study=study, parameters=parameters, report=report)
        except JobActive as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            raise CommandError(f"stopped; {kept}", returncode=130) from None
        finally:
            line.clear()
        for problem in job.result.get("problems", ()):
            self.stderr.write(str(Problem(**problem)))
        for note in job.result.get("notes", ()):
            self.note(note)
        if job.state != Job.State.DONE:
            raise CommandError(job.error or f"the job is {job.get_state_display()}")
        return job

    def note(self, words: str) -> None:
        """Write a note of the job's result."""
        self.stderr.write(f"note: {words}")
