"""Adding a metric to a collection: by files of scores, or computed in every study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.files.uploadedfile import UploadedFile

from analysis.collections.reading import tasks_of
from analysis.collections.task_data import reference_number
from analysis.models import Collection
from corpus.access.guard import may_change
from corpus.imports.options import ImportOptions
from corpus.imports.service import ask_for_import
from corpus.imports.uploads import keep_upload, upload_path
from corpus.jobs.queue import JobActive
from corpus.models import Job, Study
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from metrics.scorers.registry import scorer_class


@dataclass(frozen=True)
class Added:
    """What became of a metric in one study: jobs that work on it, or why there is none."""

    study: Study
    jobs: tuple[Job, ...] = ()
    refused: str = ""


def studies_of(collection: Collection) -> list[Study]:
    """Return the studies of a collection, each once, in the order of its tasks."""
    return list({task.study_id: task.study for task in tasks_of(collection)}.values())


def studies_to_change(collection: Collection, user: User | AnonymousUser) -> list[Study]:
    """Return those studies of a collection that a person may add scores to."""
    return [study for study in studies_of(collection) if may_change(user, study)]


def run_metric(
    collection: Collection, metric: str, user: User, parameters: Mapping[str, Any] | None = None
) -> list[Added]:
    """Compute a metric of the registry in every study of a collection that this person owns.

    A metric that compares with references takes the standard reference of the study's tasks.

    Raises
    ------
    UnknownMetric
        If there is no such metric.
    """
    spec = scorer_class(metric).spec
    found = []
    for study in studies_of(collection):
        if not may_change(user, study):
            found.append(Added(study, refused="only an owner of this study may score it"))
            continue
        against = _against(collection, study) if "reference" in spec.comparisons else ""
        request = RunRequest(metric, dict(parameters or {}), against)
        try:
            asked, jobs = ask_for_runs(study, [request], user)
        except JobActive as active:
            found.append(Added(study, refused=str(active)))
            continue
        refused = "; ".join(asked.refused.values())
        found.append(Added(study, tuple(jobs), refused))
    return found


def _against(collection: Collection, study: Study) -> str:
    """Return the numbered reference that tasks of a study call their standard one."""
    names = [task.standard_reference for task in tasks_of(collection) if task.study_id == study.pk]
    number = next((found for name in names if name and (found := reference_number(study, name))), 0)
    return f"reference.{number}" if number else ""


def import_scores(files: "Mapping[Study, UploadedFile[Any]]", user: User) -> list[Added]:
    """Put files of scores to the ordinary import, each into its study.

    Raises
    ------
    NotAnUpload
        If a file cannot be kept.
    """
    found = []
    kept: Sequence[tuple[Study, str]] = [
        (study, keep_upload([file])) for study, file in files.items()
    ]
    for study, upload in kept:
        try:
            job = ask_for_import(study, upload_path(upload), ImportOptions(), user)
        except JobActive as active:
            found.append(Added(study, refused=str(active)))
        else:
            found.append(Added(study, (job,)))
    return found
