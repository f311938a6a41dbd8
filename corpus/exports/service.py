"""Asking for exports: the one service behind the page and the API."""

from django.contrib.auth.models import User

from corpus.jobs.queue import ask_for_job
from corpus.models import Job, Study


def ask_for_export(study: Study, user: User | None, *, for_spreadsheets: bool = False) -> Job:
    """Queue an export of a study; one of its bundle and one for spreadsheets at a time.

    Raises
    ------
    JobActive
        If the same export of the study has not ended.
    """
    kind = "spreadsheets" if for_spreadsheets else "bundle"
    return ask_for_job(
        "export",
        f"export:{study.pk}:{kind}",
        study=study,
        user=user,
        parameters={"for_spreadsheets": for_spreadsheets},
    )
