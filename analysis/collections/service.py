"""The comparison of a collection on demand: stored, computed where quick, else by a job."""

import hashlib
import json
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from analysis.collections.comparing import compare
from analysis.collections.leaderboards import by_metric
from analysis.collections.reading import selection_of, tasks_of
from analysis.data.states import NotRead, only_at_hand, state_token
from analysis.filter.question import QuestionError
from analysis.models import Collection, CollectionResult
from analysis.reports.content import Content
from analysis.reports.snapshot import versions
from corpus.jobs.progress import Progress
from corpus.jobs.queue import standing_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Output
from corpus.progress import ProgressCallback, unreported

KIND = "collection"
QUICK = 30_000
"""Outputs × metrics, over all tasks, that are compared while a page waits."""
RESULTS_KEPT = 30


def comparison(
    collection: Collection, by: str = "", progress: ProgressCallback = unreported
) -> dict[str, Any]:
    """Return the comparison of a collection, from the store if nothing has changed.

    Parameters
    ----------
    collection
    by
        Name of a metric: then systems by this metric are compared, not metrics.
    progress
        Is called with the progress.

    Raises
    ------
    QuestionError
        If a task names something that its study does not have, or there is no such metric.
    """
    signature = signature_of(collection, by)
    if stored := _stored(collection, signature):
        return stored
    content: Content = by_metric(collection, by, progress) if by else compare(collection, progress)
    framed = _framed(collection, by, signature) | {"content": content.to_dict()}
    with transaction.atomic():
        CollectionResult.objects.get_or_create(
            collection=collection, signature=signature, defaults={"content": framed}
        )
    _prune(collection)
    return framed


def comparison_or_job(
    collection: Collection, user: User | None, by: str = ""
) -> dict[str, Any] | Job:
    """Return the comparison if it is stored or quick, else the job that computes it.

    A failed job is returned too, so that its error shows instead of a new try at each reload.

    Raises
    ------
    QuestionError
        As `comparison`.
    """
    signature = signature_of(collection, by)
    if stored := _stored(collection, signature):
        return stored
    if _size(collection) <= QUICK:
        try:
            with only_at_hand():
                return comparison(collection, by)
        except NotRead:
            pass
    tasks = tasks_of(collection)
    parameters = {"collection": collection.pk, "by": by}
    key = f"{KIND}:{collection.pk}:{signature}"
    return standing_job(KIND, key, study=tasks[0].study, user=user, parameters=parameters)


def run_collection(job: Job, progress: Progress) -> dict[str, Any]:
    """Compare a collection as a job."""
    collection = Collection.objects.filter(pk=job.parameters["collection"]).first()
    if collection is None:
        raise JobError("this collection no longer exists")
    try:
        content = comparison(collection, job.parameters["by"], progress.report)
    except QuestionError as error:
        # A study may have changed since the task was made.
        raise JobError(str(error)) from None
    return {"signature": content["signature"], "collection": collection.slug}


def signature_of(collection: Collection, by: str = "") -> str:
    """Hash all that a comparison depends on, without reading scores."""
    tasks = tasks_of(collection)
    states = {task.study_id: state_token(task.study) for task in tasks}
    parts: list[Any] = [by, collection.unit_range, collection.correction]
    parts += [collection.draws, collection.seed, versions()]
    for task in tasks:
        parts.append([selection_of(task), states[task.study_id], task.study.simulated])
        parts.append([task.name, str(task.study), task.statistic, task.weight, task.pool])
        parts.append(task.human_ties)
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _framed(collection: Collection, by: str, signature: str) -> dict[str, Any]:
    return {
        "collection": collection.slug,
        "title": collection.title,
        "by": by,
        "signature": signature,
        "settings": {
            "unit_range": collection.unit_range,
            "correction": collection.correction,
            "draws": collection.draws,
            "seed": collection.seed,
        },
        "versions": versions(),
    }


def _stored(collection: Collection, signature: str) -> dict[str, Any] | None:
    found = CollectionResult.objects.filter(collection=collection, signature=signature).first()
    return dict(found.content) if found else None


def _prune(collection: Collection) -> None:
    """Keep the newest results only; what is gone is computed again when it is asked for."""
    newest = list(
        CollectionResult.objects.filter(collection=collection)
        .order_by("-pk")
        .values_list("pk", flat=True)[:RESULTS_KEPT]
    )
    CollectionResult.objects.filter(collection=collection).exclude(pk__in=newest).delete()


def _size(collection: Collection) -> int:
    """Estimate the work: outputs times metrics, over all tasks."""
    total = 0
    for task in tasks_of(collection):
        outputs = Output.objects.filter(study=task.study, variant=1).count()
        total += outputs * max(1, task.study.runs.count())
    return total
