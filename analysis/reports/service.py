"""Reports on demand: found by signature, computed where quick, else by a job."""

import hashlib
import json
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from analysis import matrices
from analysis.agreement_resampling import resampling_of
from analysis.comparisons import bootstrap_of, permutation_of
from analysis.correlation_cost import correlation_cost
from analysis.matrices import StudyData
from analysis.models import PublishedValue, Result, Snapshot
from analysis.question import Question
from analysis.reports.accuracy import accuracy_report
from analysis.reports.agreement import agreement_report
from analysis.reports.comparison import MOST_METRICS, comparison_cost, comparison_report
from analysis.reports.correlation import correlation_report, subgroups
from analysis.reports.metric_means import metric_means_cost, metric_means_report
from analysis.reports.planning import planning_cost, planning_report
from analysis.reports.ranking import ranking_report
from analysis.reports.raters import raters_report
from analysis.reports.replication import replication_report
from analysis.reports.scores import scores_report
from analysis.reports.subgroups import check_subgroups, subgroups_cost, subgroups_report
from analysis.reports.system_comparison import system_comparison_report
from analysis.selection import metric_columns, scale_aspects, select
from analysis.stats.signature import VERSION as STATISTICS_VERSION
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

Published = Sequence[PublishedValue]
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
        If the question names something that the study does not have.
    """
    token = matrices.state_token(study)
    data = matrices.load(study, token, withdrawn=question.withdrawn == "in")
    snapshot = snapshot_of(study, data, token)
    published = published_values(study, kind)
    signature = _signature(data, kind, question, published)
    if stored := Result.objects.filter(snapshot=snapshot, signature=signature).first():
        content: dict[str, Any] = stored.content
        return content
    content = framed(study, data, kind, question, published) | {
        "content": build(kind, data, question, published, tell)
    }
    with transaction.atomic():
        stored, _ = Result.objects.get_or_create(
            snapshot=snapshot, signature=signature, defaults={"kind": kind, "content": content}
        )
    return content


def build(
    kind: str,
    data: StudyData,
    question: Question,
    published: Published,
    tell: Tell = _untold,
) -> dict[str, Any]:
    """Compute the content of a report; published values are those of a replication."""
    return _BUILDERS[kind](data, question, published, tell)


def published_values(study: Study, kind: str) -> list[PublishedValue]:
    """Return the published values that a kind of report depends on."""
    return list(PublishedValue.objects.filter(study=study)) if kind == "replication" else []


def stored_report(study: Study, kind: str, question: Question) -> dict[str, Any] | None:
    """Return a report if it is stored."""
    token = matrices.state_token(study)
    data = matrices.load(study, token, withdrawn=question.withdrawn == "in")
    found = Result.objects.filter(
        snapshot__study=study,
        snapshot__sha256=data.ratings_sha256,
        signature=_signature(data, kind, question, published_values(study, kind)),
    ).first()
    return found.content if found else None


def report_or_job(
    study: Study, kind: str, question: Question, user: User | None
) -> dict[str, Any] | Job:
    """Return a report if it is stored or quick, else the job that computes it.

    A failed job is returned too, so that its error shows instead of a new try at each reload.
    """
    if (content := stored_report(study, kind, question)) is not None:
        return content
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    _check(data, kind, question)
    if cost(data, kind, question) <= QUICK:
        return report(study, kind, question)
    signature = _signature(data, kind, question, published_values(study, kind))
    key = f"report:{study.pk}:{signature}"
    parameters = {"kind": kind, "question": question.to_query()}
    return standing_job("report", key, study=study, user=user, parameters=parameters)


def _check(data: StudyData, kind: str, question: Question) -> None:
    """Refuse what a kind of report cannot answer before a job is made of it.

    Raises
    ------
    QuestionError
    """
    if kind == "subgroups":
        check_subgroups(data, question)
    if kind == "agreement":
        resampling_of(question, bootstrap_of(question))


def run_report(job: Job, progress: Progress) -> dict[str, Any]:
    """Compute a report as a job."""
    if job.study is None:
        raise JobError("the study of this report no longer exists")
    progress.report(f"computing the {job.parameters['kind']} report")
    kind = job.parameters["kind"]
    question = Question.parse(job.parameters["question"])
    content = report(job.study, kind, question, progress.report)
    return {"signature": content["signature"], "kind": kind}


def document(study: Study, question: Question) -> dict[str, Any]:
    """Return all results of a study in one document: every report, every subgroup."""
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    result = {kind: report(study, kind, question) for kind in ("agreement", "ranking")}
    result["correlation"] = {
        name: report(study, "correlation", asked) for name, asked in subgroups(data, question)
    }
    if PublishedValue.objects.filter(study=study).exists():
        result["replication"] = report(study, "replication", question)
    return {"study": study.slug, "simulated": study.simulated, "reports": result}


def cost(data: StudyData, kind: str, question: Question) -> int:
    """Estimate a report's work: cells that its statistics read, resamples counted in."""
    cells = select(data, question)
    segments, systems = len(cells.segments), len(cells.systems)
    aspects = max(1, len(scale_aspects(data)))
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
        pairs = systems * (systems - 1) // 2
        return ratings + pairs * segments * permutation_of(question, pairs).draws // 30
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
    if kind == "agreement" and question.resample != "standard":
        return ratings * 100 * question.resamples
    return ratings * (40 if kind == "agreement" else 2) * aspects


def snapshot_of(study: Study, data: StudyData, token: str) -> Snapshot:
    """Freeze the ratings in use; the same ratings are one snapshot."""
    known = Snapshot.objects.filter(study=study, sha256=data.ratings_sha256).first()
    if known is None:
        known, _ = Snapshot.objects.get_or_create(
            study=study,
            sha256=data.ratings_sha256,
            defaults={"token": token, "content": data.judgements.packed()},
        )
    return known


def _signature(data: StudyData, kind: str, question: Question, published: Published) -> str:
    """Hash everything that a report depends on beside its ratings."""
    used = (*data.runs, *data.system_runs)
    runs = [(run.signature, run.content_sha256, run.orientation) for run in used]
    settings_of_runs = [(run.target, run.speaks_of, run.midpoint, run.trained) for run in used]
    systems = [(system.name, system.human, system.attributes) for system in data.systems]
    segments: list[Any] = [data.segment_keys, data.directions, data.segment_attributes]
    segments.append(data.source_words.tolist())
    parts = [kind, question.to_query(), runs, settings_of_runs, systems, segments]
    if kind == "replication":
        parts.append([(p.where, p.what, p.conditions_text, p.value, p.decimals) for p in published])
    parts.append(versions())
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def framed(
    study: Study, data: StudyData, kind: str, question: Question, published: Published
) -> dict[str, Any]:
    """Return all of a report but its content: question, signature, versions, counts."""
    judged = data.judgements
    return {
        "kind": kind,
        "study": study.slug,
        "simulated": study.simulated,
        "question": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(question).items()
        },
        "signature": _signature(data, kind, question, published),
        "ratings_sha256": data.ratings_sha256,
        "versions": versions(),
        "counts": {
            "segments": len(data.segment_keys),
            "systems": len(data.systems),
            "ratings": len(judged.value),
            "annotators": len(judged.annotators),
            "metric_runs": len(data.runs),
        },
    }


def versions() -> dict[str, str]:
    """Versions of what computes the numbers."""
    return {
        "touchstone": settings.VERSION,
        "statistics": STATISTICS_VERSION,
        "code": code_sha256()[:12],
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }


@cache
def code_sha256() -> str:
    """Hash the modules that make reports: a stored report of older code is not found again."""
    digest = hashlib.sha256()
    for room in ("analysis", "metrics/scorers"):
        for path in sorted((Path(settings.BASE_DIR) / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
