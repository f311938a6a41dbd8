"""Asking for metric runs: what exists is found, what does not is put to a job."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from corpus.jobs.queue import ask_for_job
from corpus.models import Job, Output, Study
from corpus.studies.texts_needed import why_not
from metrics.models import MetricRun, MetricRunQuerySet
from metrics.runs.names import computed_metric, free_name, taken_names
from metrics.runs.packed_scores import FLOAT_BYTES
from metrics.runs.requests import PlannedRun, Planner, RequestError, RunRequest
from metrics.scorers.registry import UnknownMetric, scorers
from metrics.scorers.scorer import Unavailable

KIND = "score"


@dataclass
class Asked:
    """What became of requests.

    Attributes
    ----------
    found
        Runs that were finished already.
    started
        Runs that lack texts and are put to a job, or are to be.
    refused
        Metrics that cannot be scored, with the reason in words.
    warnings
        Metrics whose words do not fit the study's language, with what to do.
    """

    found: list[MetricRun] = field(default_factory=list)
    started: list[MetricRun] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    warnings: dict[str, str] = field(default_factory=dict)

    @property
    def job_key(self) -> str:
        """Name what two scoring jobs must not do at a time."""
        runs = ",".join(str(run.pk) for run in self.started)
        return f"{KIND}:{sha256(runs.encode()).hexdigest()[:32]}"

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the job that scores what was started."""
        return {"runs": [run.pk for run in self.started]}


def default_requests(**chosen: Any) -> list[RunRequest]:
    """Return a request for each metric that is scored when none is named."""
    return [
        RunRequest(key, **chosen) for key, scorer in scorers().items() if scorer.spec.is_default
    ]


def prepare_runs(study: Study, requests: Iterable[RunRequest]) -> Asked:
    """Find the runs of requests, and make rows for those that are not there.

    A request that cannot be met is refused by itself, the others go on.
    """
    planner, asked = Planner(study), Asked()
    wanted = list(requests)
    if study.without_texts:
        asked.refused = {each.metric: why_not("a metric run") for each in wanted}
        return asked
    combined = [each for each in wanted if _combines(each)]
    planned = _planned(planner, [each for each in wanted if each not in combined], asked)
    with transaction.atomic():
        # The lock lets two who ask for the same at a time find the same run.
        study = Study.objects.select_for_update().get(pk=study.pk)
        outputs = Output.objects.filter(study=study).count()
        _find_or_create(study, planned, asked, outputs)
        # What is combined may be asked for at the same time.
        planned = _planned(planner, combined, asked)
        parts = {part.run.signature for plan in planned.values() for part in plan.parts.values()}
        _add_unfinished(study, parts, asked, outputs)
        _find_or_create(study, planned, asked, outputs)
    return asked


def _combines(request: RunRequest) -> bool:
    return request.metric in scorers() and "scores" in scorers()[request.metric].spec.needs


def _planned(
    planner: Planner, requests: Iterable[RunRequest], asked: Asked
) -> dict[str, PlannedRun]:
    """Return by signature what can be met; what cannot is refused by itself."""
    planned: dict[str, PlannedRun] = {}
    for request in requests:
        try:
            for each in planner.expanded(request):
                found = planner.plan(each)
                planned[found.signature] = found
                if found.warning:
                    asked.warnings[request.metric] = found.warning
        except (RequestError, UnknownMetric, Unavailable) as error:
            asked.refused[request.metric] = str(error)
    return planned


def _find_or_create(
    study: Study, planned: Mapping[str, PlannedRun], asked: Asked, outputs: int
) -> None:
    stored = {run.signature: run for run in _known(study).filter(signature__in=list(planned))}
    for signature, plan in planned.items():
        run = stored.get(signature) or _created(study, plan)
        is_whole = signature in stored and is_finished(run, outputs)
        if not is_whole and run.request != plan.request.to_dict():
            # What is in no signature, such as a budget, is as it was asked for last.
            run.request = plan.request.to_dict()
            run.save(update_fields=["request"])
        (asked.found if is_whole else asked.started).append(run)


def _add_unfinished(study: Study, parts: Iterable[str], asked: Asked, outputs: int) -> None:
    """Let parts of combinations be finished by the same job; what they lack goes first."""
    there = {run.signature for run in (*asked.found, *asked.started)}
    computed = _known(study).filter(origin=MetricRun.Origin.COMPUTED)
    for run in computed.filter(signature__in=set(parts) - there):
        if not is_finished(run, outputs):
            asked.started.append(run)


def _known(study: Study) -> MetricRunQuerySet:
    return study.runs.with_stored_bytes().select_related("job", "metric").order_by("pk")


def ask_for_runs(
    study: Study, requests: Iterable[RunRequest], user: User | None
) -> tuple[Asked, list[Job]]:
    """Find finished runs, and put the others to one job; return it with jobs under way."""
    with transaction.atomic():
        asked = prepare_runs(study, requests)
        busy = [run for run in asked.started if run.job is not None and run.job.is_active]
        jobs = {run.job.pk: run.job for run in busy if run.job is not None}
        idle = Asked(started=[run for run in asked.started if run not in busy])
        if idle.started:
            job = ask_for_job(
                KIND,
                idle.job_key,
                study=study,
                user=user,
                parameters=idle.parameters,
                needs_gpu=any(
                    run.request["parameters"].get("device") == "cuda" for run in idle.started
                ),
            )
            jobs[job.pk] = job
            _give(job, idle.started)
    return asked, list(jobs.values())


def is_finished(run: MetricRun, outputs: int) -> bool:
    """Whether a run, read `with_stored_bytes`, has a row of scores for every output."""
    stored: int = run.stored_bytes  # type: ignore[attr-defined]
    whole = stored >= outputs * len(run.fields) * FLOAT_BYTES
    return whole and bool(run.content_sha256)


def state_of(run: MetricRun, outputs: int) -> str:
    """Return a run's state in a word: finished, waiting, running, failed, cancelled, unfinished."""
    if run.origin == MetricRun.Origin.IMPORTED:
        return "imported"
    if is_finished(run, outputs):
        return "finished"
    if run.error:
        return "failed"
    if run.job is None or run.job.state == Job.State.DONE:
        return "unfinished"
    return str(run.job.get_state_display())


def _created(study: Study, plan: PlannedRun) -> MetricRun:
    run = MetricRun(
        study=study,
        metric=computed_metric(study, plan.scorer),
        signature=plan.signature,
        aspect="" if plan.spec.aspect == "description" else plan.spec.aspect,
        compared_to=plan.request.against,
        text_setting=plan.setting.name,
        fields=list(plan.scorer.fields),
        is_distribution=plan.spec.is_distribution,
        origin=MetricRun.Origin.COMPUTED,
        request=plan.request.to_dict(),
        versions=plan.versions,
        created_at=timezone.now(),
    )
    parts = {part.key: part.name for part in plan.parts.values()}
    run.name = free_name(run, taken_names(study), version=settings.VERSION, parts=parts)
    run.save()
    return run


def _give(job: Job, runs: Sequence[MetricRun]) -> None:
    MetricRun.objects.filter(pk__in=[run.pk for run in runs]).update(job=job, error="")
    for run in runs:
        run.job, run.error = job, ""
