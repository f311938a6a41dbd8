"""Reports on demand: found by signature, computed where quick, else by a job."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User

from analysis.data import matrices
from analysis.data.matrix_size import check_size
from analysis.data.narrowing import narrowed
from analysis.data.study_data import StudyData
from analysis.filter.fields_of_kinds import check_asked, check_some_use, restricted
from analysis.filter.question import Question
from analysis.models import PublishedValue
from analysis.preregistration.marks import mark_of
from analysis.reports.catalogue import report_kind
from analysis.reports.content import Content
from analysis.reports.correlation.report import subgroups
from analysis.reports.frame import framed, report_signature
from analysis.reports.kind import Asked, Published, Size
from analysis.stats.pieces import Divide, in_turn
from analysis.stored_results import store_result, stored_result
from corpus.jobs.queue import standing_job
from corpus.models import Job, Study
from corpus.progress import ProgressCallback, unreported

QUICK = 20_000_000
"""Cells × statistics that are computed while a page waits: about a second."""


def report(
    study: Study,
    kind: str,
    question: Question,
    tell: ProgressCallback = unreported,
    divided: Callable[[str], Divide] | None = None,
) -> dict[str, Any]:
    """Return a report, from the store if nothing it depends on has changed.

    `tell` hears how far a long one is. `divided` returns for its signature what computes its
    pieces; without it they are computed here.

    Raises
    ------
    analysis.filter.question.QuestionError
        If the question names something that the study does not have, or that the kind of report
        does not use.
    """
    check_asked(kind, question)
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    published = published_values(study, kind)
    signature = report_signature(data, kind, question, published)
    if stored := stored_result(study, data.ratings_sha256, signature):
        return marked(study, kind, question, stored.content)
    check_answerable(data, kind, question)
    divide = divided(signature) if divided else in_turn
    content = framed(study, data, kind, question, published) | {
        "content": build(kind, data, question, published, tell, divide)
    }
    store_result(study, data.ratings_sha256, signature, kind, content)
    return marked(study, kind, question, content)


def marked(study: Study, kind: str, question: Question, report: dict[str, Any]) -> dict[str, Any]:
    """Return a report with how it stands to the preregistrations of its study, if there are any."""
    mark = mark_of(study, kind, question)
    return report if mark is None else report | {"registration": mark}


def build(
    kind: str,
    data: StudyData,
    question: Question,
    published: Published,
    tell: ProgressCallback = unreported,
    divide: Divide = in_turn,
) -> dict[str, Any]:
    """Compute the content of a report as JSON; published values are those of a replication."""
    asked = Asked(narrowed(data, question), question, published, tell, divide=divide)
    content: Content = report_kind(kind).build(asked)
    return content.to_dict()


def published_values(study: Study, kind: str) -> list[PublishedValue]:
    """Return the published values that a kind of report depends on."""
    return list(PublishedValue.objects.filter(study=study)) if kind == "replication" else []


def stored_report(study: Study, kind: str, question: Question) -> dict[str, Any] | None:
    """Return a report if it is stored."""
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    signature = report_signature(data, kind, question, published_values(study, kind))
    found = stored_result(study, data.ratings_sha256, signature)
    return marked(study, kind, question, found.content) if found else None


def report_or_job(
    study: Study, kind: str, question: Question, user: User | None, *, quick: int | None = None
) -> dict[str, Any] | Job:
    """Return a report if it is stored or quick, else the job that computes it.

    `quick` is the most that is computed at once, as `cost` estimates it, by default `QUICK`. A
    failed job is returned too, so that its error shows instead of a new try at each reload.

    Raises
    ------
    analysis.filter.question.QuestionError
        As `report`.
    """
    check_asked(kind, question)
    if (content := stored_report(study, kind, question)) is not None:
        return content
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    check_answerable(data, kind, question)
    if cost(data, kind, question) <= (QUICK if quick is None else quick):
        return report(study, kind, question)
    signature = report_signature(data, kind, question, published_values(study, kind))
    key = f"report:{study.pk}:{signature}"
    parameters = {"kind": kind, "question": question.to_query()}
    return standing_job("report", key, study=study, user=user, parameters=parameters)


def check_answerable(data: StudyData, kind: str, question: Question) -> None:
    """Refuse what a kind of report cannot answer for a study, before a job is made of it.

    Raises
    ------
    QuestionError
    """
    asked = narrowed(data, question)
    if report_kind(kind).lays_out(asked):
        check_size(asked)
    report_kind(kind).check(asked, question)


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
    kinds = ["agreement", "ranking", "correlation"]
    if PublishedValue.objects.filter(study=study).exists():
        kinds.append("replication")
    check_some_use(kinds, question)
    asked = {kind: restricted(kind, question) for kind in kinds}
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    found = [(kind, "", asked[kind]) for kind in kinds if kind != "correlation"]
    of_parts = subgroups(data, asked["correlation"])
    found[2:2] = [("correlation", name, of_part) for name, of_part in of_parts]
    return found


def cost(data: StudyData, kind: str, question: Question) -> int:
    """Estimate a report's work: cells that its statistics read, resamples counted in."""
    return report_kind(kind).cost(Size(narrowed(data, question), question))
