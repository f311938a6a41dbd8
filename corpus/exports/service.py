"""Asking for exports: the one service behind the page and the API."""

from django.contrib.auth.models import User

from corpus.jobs.queue import ask_for_job
from corpus.models import Job, Study


def ask_for_export(
    study: Study,
    user: User | None,
    *,
    for_spreadsheets: bool = False,
    format: str = "",
    select: str = "",
) -> Job:
    """Queue an export of a study; one of each kind at a time.

    Parameters
    ----------
    for_spreadsheets
        Whether texts are made safe for spreadsheets.
    format
        A named format in which the study is written instead of as its bundle.
    select
        What the study is called in a format that holds several, such as a language pair.

    Raises
    ------
    JobActive
        If the same export of the study has not ended.
    """
    if format:
        return ask_for_job(
            "export",
            f"export:{study.pk}:{format}:{select}",
            study=study,
            user=user,
            parameters={"format": format, "select": select},
        )
    kind = "spreadsheets" if for_spreadsheets else "bundle"
    return ask_for_job(
        "export",
        f"export:{study.pk}:{kind}",
        study=study,
        user=user,
        parameters={"for_spreadsheets": for_spreadsheets},
    )
