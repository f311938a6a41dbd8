"""The sweep job: scores what is lacking by ordinary runs, then compares the settings."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse

from analysis.data.narrowing import asked_data
from analysis.data.pooling import pooled_words
from analysis.data.selection import MetricColumn, measures_of, rated_aspects
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import Pairing, align, correlation, human_side
from analysis.filter.question import Question
from analysis.models import Result
from analysis.reports.snapshot import versions
from analysis.stats.correlation.nested_selection import nested_selection
from analysis.stats.systems.distribution import score_distribution
from analysis.stored_results import store_result, stored_result
from analysis.sweeps.asked import Setting, Sweep, SweepError, SweepResult, SweptSetting
from corpus.jobs.progress import Progress
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Study, System
from metrics.models import MetricRun, Undefined
from metrics.resources.attributors import is_fine_tuned
from metrics.resources.trained_models import models_of
from metrics.runs.asking import prepare_runs
from metrics.runs.requests import Planner
from metrics.runs.scoring_job import run_score

KIND = "sweep"


@dataclass(frozen=True)
class _Candidate:
    """One number of one setting, compared with human scores."""

    setting: Setting
    run: MetricRun
    pairing: Pairing


def usual_model(study: Study) -> str:
    """Return the classifier whose attributions mask where none is named; empty if there is none."""
    return next((model.name for model in models_of(study) if is_fine_tuned(model)), "")


def sweep_job(study: Study, sweep: Sweep) -> tuple[str, dict[str, Any]]:
    """Return key and parameters of the job that does a sweep, after a look at whether it can.

    Raises
    ------
    SweepError
        If nobody judged the aspect, or a setting cannot be scored.
    """
    data = asked_data(study, Question())
    known = rated_aspects(data)
    found = [m.name for m in measures_of(data, sweep.aspect) if m.name in known]
    if len(found) != 1:
        has = ", ".join(found or known) or "none: import or collect ratings first"
        raise SweepError(f"aspect {sweep.aspect!r}: this study has {has}")
    sweep = replace(sweep, aspect=found[0])
    refused = prepare_runs(study, [each.request for each in sweep.settings()]).refused
    if refused:
        raise SweepError("; ".join(refused.values()))
    parameters = sweep.to_dict()
    digest = sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()[:32]
    return f"{KIND}:{study.pk}:{digest}", {KIND: parameters}


def ask_for_sweep(study: Study, sweep: Sweep, user: User | None) -> Job:
    """Put a sweep to a job.

    Raises
    ------
    SweepError
        As `sweep_job`.
    JobActive
        If the same sweep is under way.
    """
    key, parameters = sweep_job(study, sweep)
    return ask_for_job(KIND, key, study=study, user=user, parameters=parameters)


def sweeps_of(study: Study) -> QuerySet[Result]:
    """Return the stored sweeps of a study, the newest first."""
    return Result.objects.filter(study=study, kind=KIND).order_by("-pk")


def run_sweep(job: Job, progress: Progress) -> dict[str, Any]:
    """Score what the settings lack, compare them, and store the result.

    Raises
    ------
    JobError
        If a setting cannot be scored; what was scored is kept.
    """
    if job.study is None:
        raise JobError("the study of this sweep no longer exists")
    sweep = Sweep(**job.parameters[KIND])
    settings = sweep.settings()
    asked = prepare_runs(job.study, [each.request for each in settings])
    if asked.refused:
        raise JobError("; ".join(asked.refused.values()))
    if asked.started:
        job.parameters = {**job.parameters, **asked.parameters}
        job.save(update_fields=["parameters"])
        run_score(job, progress)
    study = Study.objects.get(pk=job.study.pk)
    runs = _finished(study, settings)
    progress.report("comparing the settings with human ratings")
    stored = _compared(study, sweep, settings, runs)
    return {"sweep": stored.pk, "link": reverse("study-sweep", args=[study.slug, stored.pk])}


def _finished(study: Study, settings: Sequence[Setting]) -> list[MetricRun]:
    """Return the run of each setting.

    Raises
    ------
    JobError
        If one is not finished, with the reason.
    """
    planner = Planner(study)
    signatures = [planner.plan(each.request).signature for each in settings]
    by_signature = {run.signature: run for run in study.runs.filter(signature__in=signatures)}
    runs = [by_signature[signature] for signature in signatures]
    for setting, run in zip(settings, runs, strict=True):
        if not run.content_sha256:
            why = run.error or "another job works on it: start the sweep again when that is done"
            threshold = "" if setting.threshold is None else f", threshold {setting.threshold:g}"
            raise JobError(f"{setting.line}{threshold} is not finished: {why}")
    return runs


def _compared(
    study: Study, sweep: Sweep, settings: Sequence[Setting], runs: Sequence[MetricRun]
) -> Result:
    """Return the stored comparison; the same ratings, scores and versions are compared once."""
    data = asked_data(study, Question())
    scored = [(run.signature, run.content_sha256) for run in runs]
    parts = [KIND, sweep.to_dict(), scored, versions()]
    name = sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    if known := stored_result(study, data.ratings_sha256, name):
        return known
    content = _content(data, sweep, list(_candidates(data, sweep, settings, runs)))
    return store_result(study, data.ratings_sha256, name, KIND, content.to_dict())


def _candidates(
    data: StudyData, sweep: Sweep, settings: Sequence[Setting], runs: Sequence[MetricRun]
) -> Any:
    question = Question(aspect=sweep.aspect, scores=sweep.scores)
    views: dict[int, list[MetricColumn]] = {}
    for view in data.runs:
        views.setdefault(view.pk, []).append(MetricColumn(view.metric, view))
    for setting, run in zip(settings, runs, strict=True):
        for column in views[run.pk]:
            yield _Candidate(
                setting,
                run,
                align(data, question, column, human_side(data, question, sweep.aspect)),
            )


def _content(data: StudyData, sweep: Sweep, candidates: Sequence[_Candidate]) -> SweepResult:
    """Compare on the cells that people and every setting have that scored anything at all."""
    human = candidates[0].pairing.human
    rated = np.isfinite(human)
    scores = np.stack([each.pairing.metric for each in candidates])
    usable = np.flatnonzero((np.isfinite(scores) & rated).any(axis=(1, 2)))
    # With none, all are given, to get the reason why nothing can be computed.
    compared = scores[usable] if len(usable) else scores
    selection = nested_selection(compared, human)
    common = np.isfinite(compared).all(axis=0) & rated
    chosen, in_sample = np.zeros(len(scores)), dict[int, float]()
    if len(usable):
        chosen[usable] = selection.chosen
        pairs = zip(usable.tolist(), selection.in_sample, strict=True)
        in_sample = {place: value for place, value in pairs if value is not None}
    question = Question(aspect=sweep.aspect, scores=sweep.scores)
    rows = []
    for place, each in enumerate(candidates):
        metric = np.where(common, each.pairing.metric, np.nan)
        result = correlation(replace(each.pairing, metric=metric), question)
        missing = int((np.isnan(each.pairing.metric) & rated).sum())
        rows.append(
            SweptSetting(
                line=each.setting.line,
                number=each.pairing.column.name,
                threshold=each.setting.threshold,
                run=each.run.pk,
                run_name=each.pairing.column.label,
                run_signature=each.run.signature,
                orientation=each.pairing.orientation,
                missing=missing,
                why_missing=_first_reason(each.run) if missing else "",
                chosen=float(chosen[place]),
                result=result,
                distribution=score_distribution(metric[common]),
            )
        )
    behind = {model for each in candidates for model in each.pairing.column.run.trained}
    return SweepResult(
        sweep=sweep.to_dict(),
        rows=tuple(rows),
        trained=tuple(model._asdict() for model in sorted(behind, key=lambda model: model.name)),
        best=max(in_sample, key=lambda place: in_sample[place]) if in_sample else None,
        honest=selection.honest,
        cells=selection.cells,
        lost=selection.lost,
        ratings_sha256=data.ratings_sha256,
        versions=versions(),
        pooled=tuple(pooled_words(data.judgements, measures_of(data, sweep.aspect))),
    )


def _first_reason(run: MetricRun) -> str:
    """Return why the first of the texts without a score has none."""
    system = System.Kind.SYSTEM
    undefined = Undefined.objects.filter(run=run, output__system__kind=system)
    return undefined.order_by("pk").values_list("reason", flat=True).first() or ""
