"""Reports that Findings will ask for, computed before anybody looks."""

from contextlib import suppress

from corpus.jobs.queue import JobActive, ask_for_job
from corpus.models import Study

KINDS = ("agreement", "system-comparison", "correlation", "comparison", "stand-in")


def compute_ahead(study: Study) -> None:
    """Ask for the reports behind the cards of a study, by default questions.

    Nothing is read for that: a start need not wait until the reports are imported.
    """
    for kind in KINDS:
        with suppress(JobActive):
            parameters = {"kind": kind, "question": {}}
            ask_for_job(
                "report",
                f"findings:{study.pk}:{kind}",
                study=study,
                user=None,
                parameters=parameters,
            )
