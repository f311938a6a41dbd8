"""Reports on demand: found by signature, computed where quick, else by a job."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User

from analysis.filter.fields_of_kinds import check_some_use, restricted
from analysis.filter.question import Question
from analysis.reports.catalogue import KINDS, report_kind
from analysis.reports.snapshot import Snapshot
from analysis.stats.pieces import Divide, in_turn
from corpus.jobs.queue import standing_job
from corpus.models import Job, Study
from corpus.progress import ProgressCallback, unreported

QUICK = 20_000_000
"""Cells × statistics that are computed while a page waits: about a second."""


def report(
    study: Study,
    kind: str,
    question: Question,
    progress: ProgressCallback = unreported,
    divided: Callable[[str], Divide] | None = None,
) -> dict[str, Any]:
    """Return a report, from the store if nothing it depends on has changed.

    `divided` returns for its signature what computes its pieces; without it they are computed here.

    Raises
    ------
    analysis.filter.question.QuestionError
        If the question names something that the study does not have, or that the kind of report
        does not use.
    """
    snapshot = Snapshot.of(study, kind, question)
    if (stored := snapshot.stored()) is not None:
        return stored
    snapshot.check()
    divide = divided(snapshot.signature) if divided else in_turn
    return snapshot.keep(snapshot.computed(progress, divide))


def report_or_job(
    study: Study, kind: str, question: Question, user: User | None, *, quick: int | None = None
) -> dict[str, Any] | Job:
    """Return a report if it is stored or quick, else the job that computes it.

    Raises
    ------
    analysis.filter.question.QuestionError
        As `report`.
    """
    return answer(Snapshot.of(study, kind, question), user, quick=quick)


def answer(
    snapshot: Snapshot, user: User | None, *, quick: int | None = None
) -> dict[str, Any] | Job:
    """Return the report of a snapshot if it is stored or quick, else the job that computes it.

    `quick` is the most that is computed at once, as `Snapshot.cost` estimates it, by default
    `QUICK`. A failed job is returned too, so that its error shows instead of a new try at each
    reload.

    Raises
    ------
    analysis.filter.question.QuestionError
        If the kind of report cannot answer the question.
    """
    if (stored := snapshot.stored()) is not None:
        return stored
    snapshot.check()
    if snapshot.cost <= (QUICK if quick is None else quick):
        return snapshot.keep(snapshot.computed())
    study, kind = snapshot.study, snapshot.kind.key
    parameters = {"kind": kind, "question": snapshot.question.to_query()}
    key = f"report:{study.pk}:{snapshot.signature}"
    return standing_job("report", key, study=study, user=user, parameters=parameters)


def document(study: Study, question: Question) -> dict[str, Any]:
    """Return all results of a study in one document: every report, every subgroup.

    Each report is asked what its kind uses of the question.

    Raises
    ------
    analysis.filter.question.QuestionError
        If the question has a field that none of them uses.
    """
    result: dict[str, Any] = {}
    for kind, part, asked in parts_of_document(study, question):
        made = report(study, kind, asked)
        if part:
            result.setdefault(kind, {})[part] = made
        else:
            result[kind] = made
    return {"study": study.slug, "simulated": study.simulated, "reports": result}


def parts_of_document(study: Study, question: Question) -> list[tuple[str, str, Question]]:
    """Return the reports of a study's document: kind, part of the study, and what is asked.

    Raises
    ------
    analysis.filter.question.QuestionError
        As `document`.
    """
    snapshots = {
        kind: Snapshot.of(study, kind, restricted(kind, question))
        for kind in KINDS
        if report_kind(kind).parts
    }
    kinds = [
        kind for kind, own in snapshots.items() if own.published or not own.kind.reads_published
    ]
    check_some_use(kinds, question)
    return [
        (kind, part, asked)
        for kind in kinds
        for own in (snapshots[kind],)
        if own.kind.parts
        for part, asked in own.kind.parts(own.data, own.question)
    ]
