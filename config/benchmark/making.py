"""Steps that make something of one study: texts, scores, campaigns, judgements."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from analysis.charts.chart import counted
from analysis.judging import asked as judges
from analysis.judging.asked import Judging, judging_cost, pairs_job, question_of, run_request
from analysis.judging.questions import JudgingError
from annotation.campaigns.service import prepare
from annotation.models import Campaign, Item
from annotation.protocols.catalogue import PRESETS, PROTOCOLS
from config.benchmark.recipe import RecipeError
from config.benchmark.step import Step, StepError, named
from corpus.jobs.foreground import run_in_foreground
from corpus.models import Job, Study
from corpus.progress import ProgressCallback
from metrics import baselines
from metrics.baselines import Baseline, checked
from metrics.runs import asking
from metrics.runs.asking import default_requests, prepare_runs
from metrics.runs.requests import RunRequest
from metrics.writing.asking import KIND, job_parameters, key_of
from metrics.writing.requests import Planner, WritingRequest

DEFAULT = "default"
"""Metric that stands for all that are scored when none is named."""


def baseline_step(study: Study, row: Mapping[str, Any]) -> Step:
    """Return the step that adds a baseline's texts."""

    def run(tell: ProgressCallback) -> str:
        wanted = checked(
            study, [Baseline(row["baseline"], row.get("seed", 0), row.get("lexicon", ""))]
        )
        parameters = baselines.job_parameters(wanted)
        job = run_in_foreground(
            baselines.JOB_KIND,
            baselines.key_of_job(study),
            study=study,
            parameters=parameters,
            report=tell,
        )
        return _counted(job, "texts")

    name = named(f"{study.slug}: baseline {row['baseline']}", row, "baseline")
    return Step(name, lambda: [row, study.segments.count()], run)


def writer_step(study: Study, row: Mapping[str, Any]) -> Step:
    """Return the step that lets a writer write outputs."""

    def run(tell: ProgressCallback) -> str:
        planned = Planner(study).plan(WritingRequest(**row))
        job = run_in_foreground(
            KIND,
            key_of(study, planned.signature),
            study=study,
            parameters=job_parameters(planned),
            report=tell,
        )
        return _counted(job, "outputs")

    name = named(f"{study.slug}: outputs by {row['writer']}", row, "writer")
    return Step(name, lambda: [row, study.segments.count(), settings.VERSION], run)


def metric_step(study: Study, row: Mapping[str, Any]) -> Step:
    """Return the step that scores outputs by a metric."""

    def run(tell: ProgressCallback) -> str:
        if row["metric"] == DEFAULT:
            return _scored(study, default_requests(), tell, strict=False)
        return _scored(study, [RunRequest(**row)], tell)

    name = named(f"{study.slug}: metric {row['metric']}", row, "metric")
    return Step(name, lambda: [row, study.outputs.count(), settings.VERSION], run)


def _scored(
    study: Study,
    requests: Sequence[RunRequest],
    tell: ProgressCallback,
    *,
    strict: bool = True,
) -> str:
    asked = prepare_runs(study, requests)
    if asked.refused and strict:
        raise StepError("; ".join(asked.refused.values()))
    if asked.started:
        job = run_in_foreground(
            asking.KIND, asked.job_key, study=study, parameters=asked.parameters, report=tell
        )
        _ended(job)
    words = f"{counted(len(asked.started), 'run')} computed, {len(asked.found)} found"
    refused = "; ".join(f"{name}: {why}" for name, why in asked.refused.items())
    return f"{words}; not scored: {refused}" if refused else words


def judge_step(study: Study, row: Mapping[str, Any]) -> Step:
    """Return the step that asks a judge."""
    judging = Judging(**row)

    def run(tell: ProgressCallback) -> str:
        question = question_of(study, judging)
        judging_cost(study, judging)  # refuses what cannot be asked
        if not question.of_pairs:
            return _scored(study, [run_request(question, judging)], tell)
        key, parameters = pairs_job(study, judging)
        job = run_in_foreground(judges.KIND, key, study=study, parameters=parameters, report=tell)
        _ended(job)
        return " ".join(job.result["notes"])

    def facts() -> Any:
        try:
            prompt = question_of(study, judging).prompt
        except JudgingError:
            prompt = ""  # Its campaign is not there yet.
        pairs = Item.objects.filter(
            campaign__study=study, campaign__slug=judging.campaign, second__isnull=False
        )
        return [row, prompt, pairs.count(), study.outputs.count(), settings.VERSION]

    what = f"{study.slug}: judge {judging.model} on {judging.campaign or 'pairs of systems'}"
    return Step(named(what, row, "model", "campaign"), facts, run)


def campaign_step(study: Study, row: Mapping[str, Any], owner: User | None) -> Step:
    """Return the step that prepares a campaign, or several of a preset; raises `RecipeError`."""
    chosen = f"preset:{row['preset']}" if "preset" in row else f"protocol:{row['protocol']}"
    kind, _, key = chosen.partition(":")
    known = PRESETS if kind == "preset" else PROTOCOLS
    if key not in known:
        raise RecipeError(f"campaigns: no {kind} {key!r}; there are: {', '.join(known)}")

    def run(tell: ProgressCallback) -> str:
        if owner is None:
            raise StepError("campaigns are prepared in somebody's name")
        made = prepare(study, chosen, row.get("title") or row["name"], row["name"], owner)
        names = ", ".join(campaign.slug for campaign in made)
        prepared = counted(len(made), "campaign")
        return f"{prepared} prepared ({names}); look at them and start them"

    def facts() -> Any:
        # A campaign that somebody discarded is prepared again.
        there = Campaign.objects.filter(study=study, slug__startswith=row["name"]).exists()
        return [row, there]

    return Step(f"{study.slug}: campaign {row['name']}", facts, run)


def _counted(job: Job, what: str) -> str:
    _ended(job)
    counts = "; ".join(
        f"{name}: {found['added']:,} {what} added, {found['unchanged']:,} already there"
        for name, found in job.result["tables"].items()
    )
    notes = [note for note in job.result.get("notes", ()) if "no output for" in note]
    return " ".join([f"{counts}.", *notes])


def _ended(job: Job) -> None:
    if job.state != Job.State.DONE:
        raise StepError(job.error or f"the job is {job.get_state_display()}")
