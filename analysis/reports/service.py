"""Reports on demand: found by signature, computed where quick, else by a job."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User

from analysis import matrices
from analysis.agreement_resampling import resampling_of
from analysis.comparisons import bootstrap_of
from analysis.fields_of_kinds import check_some_use, restricted
from analysis.limits import check_asked
from analysis.matrices import StudyData
from analysis.models import PublishedValue
from analysis.narrowing import narrowed
from analysis.question import Question, QuestionError
from analysis.reports.accuracy.report import accuracy_report
from analysis.reports.agreement.cost import agreement_cost
from analysis.reports.agreement.report import agreement_report
from analysis.reports.comparison.report import MOST_METRICS, comparison_cost, comparison_report
from analysis.reports.correlation.cost import correlation_cost
from analysis.reports.correlation.report import correlation_report, subgroups
from analysis.reports.frame import Published, framed, report_signature
from analysis.reports.metric_means.report import metric_means_cost, metric_means_report
from analysis.reports.planning.report import planning_cost, planning_report
from analysis.reports.ranking.report import ranking_report
from analysis.reports.raters.report import raters_report
from analysis.reports.replication.report import replication_report
from analysis.reports.scores.report import scores_report
from analysis.reports.subgroups.report import check_subgroups, subgroups_cost, subgroups_report
from analysis.reports.system_comparison.report import (
    check_draws,
    check_system_comparison,
    system_comparison_cost,
    system_comparison_report,
)
from analysis.selection import metric_columns, rated_aspects, select
from analysis.stored_results import store_result, stored_result
from corpus.jobs.progress import Progress
from corpus.jobs.queue import standing_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Study

KINDS = (
    *("agreement", "raters", "planning", "correlation", "subgroups", "accuracy", "comparison"),
    *("ranking", "system-comparison", "metric-means", "scores", "replication"),
)
KINDS_WITH_STATISTICS = frozenset({"metric-means"})
"""Reports that read the sufficient statistics of runs."""
QUICK = 20_000_000
"""Cells × statistics that are computed while a page waits: about a second."""

Tell = Callable[[str, int, int], object]
"""Hears a message, how much of a report is done, and of how much (0 where not known)."""
Builder = Callable[[StudyData, Question, Published, Tell], dict[str, Any]]
_BUILDERS: dict[str, Builder] = {
    "agreement": lambda data, question, published, tell: agreement_report(data, question),
    "raters": lambda data, question, published, tell: raters_report(
        data, question, bootstrap_of(question)
    ),
    "planning": lambda data, question, published, tell: planning_report(data, question),
    "correlation": lambda data, question, published, tell: correlation_report(
        data, question, bootstrap_of(question), tell
    ),
    "subgroups": lambda data, question, published, tell: subgroups_report(data, question, tell),
    "accuracy": lambda data, question, published, tell: accuracy_report(data, question, tell),
    "comparison": lambda data, question, published, tell: comparison_report(data, question, tell),
    "ranking": lambda data, question, published, tell: ranking_report(data, question),
    "system-comparison": lambda data, question, published, tell: system_comparison_report(
        data, question, tell
    ),
    "metric-means": lambda data, question, published, tell: metric_means_report(
        data, question, tell
    ),
    "scores": lambda data, question, published, tell: scores_report(data, question),
    "replication": lambda data, question, published, tell: replication_report(
        data, list(published)
    ),
}


def _untold(message: str, done: int, total: int) -> None:
    """Hear nothing."""


def report(study: Study, kind: str, question: Question, tell: Tell = _untold) -> dict[str, Any]:
    """Return a report, from the store if nothing it depends on has changed.

    `tell` hears how far a long one is.

    Raises
    ------
    analysis.question.QuestionError
        If the question names something that the study does not have, or that the kind of report
        does not use.
    """
    check_asked(kind, question)
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    published = published_values(study, kind)
    signature = report_signature(data, kind, question, published)
    if stored := stored_result(study, data.ratings_sha256, signature):
        content: dict[str, Any] = stored.content
        return content
    check_answerable(data, kind, question)
    content = framed(study, data, kind, question, published) | {
        "content": build(kind, data, question, published, tell)
    }
    store_result(study, data.ratings_sha256, signature, kind, content)
    return content


def build(
    kind: str,
    data: StudyData,
    question: Question,
    published: Published,
    tell: Tell = _untold,
) -> dict[str, Any]:
    """Compute the content of a report; published values are those of a replication."""
    return _BUILDERS[kind](narrowed(data, question), question, published, tell)


def published_values(study: Study, kind: str) -> list[PublishedValue]:
    """Return the published values that a kind of report depends on."""
    return list(PublishedValue.objects.filter(study=study)) if kind == "replication" else []


def stored_report(study: Study, kind: str, question: Question) -> dict[str, Any] | None:
    """Return a report if it is stored."""
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    signature = report_signature(data, kind, question, published_values(study, kind))
    found = stored_result(study, data.ratings_sha256, signature)
    return found.content if found else None


def report_or_job(
    study: Study, kind: str, question: Question, user: User | None
) -> dict[str, Any] | Job:
    """Return a report if it is stored or quick, else the job that computes it.

    A failed job is returned too, so that its error shows instead of a new try at each reload.

    Raises
    ------
    analysis.question.QuestionError
        As `report`.
    """
    check_asked(kind, question)
    if (content := stored_report(study, kind, question)) is not None:
        return content
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    check_answerable(data, kind, question)
    if cost(data, kind, question) <= QUICK:
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
    if kind == "subgroups":
        check_subgroups(narrowed(data, question), question)
    if kind == "system-comparison":
        check_system_comparison(narrowed(data, question), question)
        check_draws(narrowed(data, question), question)
    if kind == "agreement":
        resampling_of(question, bootstrap_of(question))


def run_report(job: Job, progress: Progress) -> dict[str, Any]:
    """Compute a report as a job."""
    if job.study is None:
        raise JobError("the study of this report no longer exists")
    progress.report(f"computing the {job.parameters['kind']} report")
    kind = job.parameters["kind"]
    try:
        question = Question.parse(job.parameters["question"])
        content = report(job.study, kind, question, progress.report)
    except QuestionError as error:
        # The study may have changed since the question was checked.
        raise JobError(str(error)) from None
    return {"signature": content["signature"], "kind": kind}


def document(study: Study, question: Question) -> dict[str, Any]:
    """Return all results of a study in one document: every report, every subgroup.

    Each report is asked what its kind uses of the question.

    Raises
    ------
    analysis.question.QuestionError
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
    analysis.question.QuestionError
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
    data = narrowed(data, question)
    cells = select(data, question)
    segments, systems = len(cells.segments), len(cells.systems)
    aspects = max(1, len(rated_aspects(data)))
    ratings = len(data.judgements.value)
    if kind == "correlation":
        columns = len(metric_columns(data, question.but(aspect="")))
        beside = 1 if question.aspect else aspects
        return correlation_cost(question, segments, systems, columns, beside)
    if kind == "planning":
        columns = len(metric_columns(data, question))
        return planning_cost(question, ratings * aspects, segments * systems, columns)
    if kind == "subgroups":
        columns = len(metric_columns(data, question))
        return subgroups_cost(question, segments * systems, systems, columns)
    if kind == "accuracy":
        columns = len(metric_columns(data, question))
        per_metric = segments * (3000 + systems * systems * 100) * question.resamples // 1000
        return columns * per_metric + 100 * segments * systems * systems * 20
    if kind == "comparison":
        metrics = min(MOST_METRICS, len(metric_columns(data, question)))
        return comparison_cost(question, segments * systems, systems, metrics)
    if kind == "system-comparison":
        return system_comparison_cost(question, segments, systems, ratings)
    if kind == "metric-means":
        asked = metric_columns(data, question)
        sums = [max(2, len(column.run.statistics)) for column in asked]
        return metric_means_cost(question, segments, systems, sums)
    if kind == "scores":
        columns = len(metric_columns(data, question))
        return columns * len(data.segment_of_output) * (20 + columns)
    if kind == "replication":
        return segments * systems * 400
    if kind == "raters":
        return len(data.judgements.annotators) * (segments * systems * 40 + ratings)
    if kind == "agreement":
        return agreement_cost(data, question, aspects)
    return ratings * 2 * aspects
