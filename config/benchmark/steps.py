"""The steps of a benchmark: each makes one thing of one study, and says what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from analysis.collections.service import comparison
from analysis.collections.tables import tables_of
from analysis.data.states import state_token
from analysis.filter.question import Question
from analysis.judging import asked as judges
from analysis.judging.asked import Judging, judging_cost, pairs_job, question_of, run_request
from analysis.judging.questions import JudgingError
from analysis.models import Collection
from analysis.reports.catalogue import KINDS
from analysis.reports.service import report
from analysis.tables.files import names_of, table_named, zip_of_tables
from analysis.tables.flat_table import csv_text, json_text
from analysis.tables.latex import latex_table
from analysis.tables.of_reports import flat_tables
from annotation.campaigns.service import prepare
from annotation.models import Campaign, Item
from annotation.protocols.catalogue import PROTOCOLS
from annotation.protocols.presets import PRESETS
from config.benchmark.ledger import digest
from config.benchmark.recipe import COLLECTION, Recipe, RecipeError
from corpus.access_log import Action, log_access
from corpus.exports.whole_file import whole_file
from corpus.jobs.foreground import run_in_foreground
from corpus.models import Job, Membership, Study
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
_ENDINGS = {"json": "json", "csv": "csv", "latex": "tex"}
_TEXTS: Mapping[str, Callable[..., str]] = {
    "json": json_text,
    "csv": csv_text,
    "latex": latex_table,
}


class StepError(Exception):
    """A step that could not be done; the message says why."""


@dataclass(frozen=True)
class Step:
    """One thing to be made.

    Attributes
    ----------
    name
        What is made, for people and for the ledger.
    facts
        All that decides whether what was made before is still what is wanted.
    run
        Makes it and returns in words what came of it.
    """

    name: str
    facts: Callable[[], Any]
    run: Callable[[ProgressCallback | None], str]


def steps_of(recipe: Recipe) -> Iterator[Step]:
    """Yield the steps of a recipe, in their order.

    Raises
    ------
    RecipeError
        If a study, a person, a preset or a kind of report does not exist.
    """
    studies, collection = _studies(recipe)
    owner = _owner(recipe, studies)
    for study in studies:
        for row in recipe.baselines:
            yield _baseline(study, row)
        for row in recipe.writers:
            yield _writer(study, row)
        for row in recipe.metrics:
            yield _metric(study, row)
        for row in recipe.campaigns:
            yield _campaign(study, row, owner)
        for row in recipe.judges:
            yield _judge(study, row)
        for row in recipe.reports:
            if row["kind"] != COLLECTION:
                yield _report(study, row, recipe.folder)
    for row in recipe.reports:
        if row["kind"] == COLLECTION and collection is not None:
            yield _comparison(collection, studies, row, recipe.folder)


def _studies(recipe: Recipe) -> tuple[list[Study], Collection | None]:
    collection = None
    slugs = list(recipe.studies)
    if recipe.collection:
        collection = Collection.objects.filter(slug=recipe.collection).first()
        if collection is None:
            raise RecipeError(f"no collection {recipe.collection!r}")
        if not slugs:
            of_tasks = collection.tasks.order_by("pk").values_list("study__slug", flat=True)
            slugs = list(dict.fromkeys(of_tasks))
    found = {study.slug: study for study in Study.objects.filter(slug__in=slugs)}
    for slug in slugs:
        if slug not in found:
            known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
            raise RecipeError(f"studies: no study {slug!r}; there are: {known}")
    return [found[slug] for slug in slugs], collection


def _owner(recipe: Recipe, studies: list[Study]) -> User | None:
    if not recipe.owner:
        return None
    person = User.objects.filter(username=recipe.owner).first()
    if person is None:
        raise RecipeError(f"owner: nobody is called {recipe.owner!r}")
    owned = Membership.objects.filter(user=person, role=Membership.Role.OWNER)
    for study in studies:
        if not (person.is_superuser or owned.filter(study=study).exists()):
            raise RecipeError(f"owner: {recipe.owner} does not own the study {study.slug}")
    return person


def _baseline(study: Study, row: Mapping[str, Any]) -> Step:
    def run(tell: ProgressCallback | None) -> str:
        wanted = checked(
            study, [Baseline(row["baseline"], row.get("seed", 0), row.get("lexicon", ""))]
        )
        parameters = baselines.job_parameters(wanted)
        job = run_in_foreground(
            baselines.JOB_KIND,
            baselines.key_of_job(study),
            study=study,
            parameters=parameters,
            tell=tell,
        )
        return _counted(job, "texts")

    name = f"{study.slug}: baseline {row['baseline']} {_short(row)}".rstrip()
    return Step(name, lambda: [row, study.segments.count()], run)


def _writer(study: Study, row: Mapping[str, Any]) -> Step:
    def run(tell: ProgressCallback | None) -> str:
        planned = Planner(study).plan(WritingRequest(**row))
        job = run_in_foreground(
            KIND,
            key_of(study, planned.signature),
            study=study,
            parameters=job_parameters(planned),
            tell=tell,
        )
        return _counted(job, "outputs")

    name = f"{study.slug}: outputs by {row['writer']} {_short(row)}".rstrip()
    return Step(name, lambda: [row, study.segments.count(), settings.VERSION], run)


def _metric(study: Study, row: Mapping[str, Any]) -> Step:
    def run(tell: ProgressCallback | None) -> str:
        if row["metric"] == DEFAULT:
            return _scored(study, default_requests(), tell, strict=False)
        return _scored(study, [RunRequest(**row)], tell)

    name = f"{study.slug}: metric {row['metric']} {_short(row)}".rstrip()
    return Step(name, lambda: [row, study.outputs.count(), settings.VERSION], run)


def _scored(
    study: Study,
    requests: Sequence[RunRequest],
    tell: ProgressCallback | None,
    *,
    strict: bool = True,
) -> str:
    asked = prepare_runs(study, requests)
    if asked.refused and strict:
        raise StepError("; ".join(asked.refused.values()))
    if asked.started:
        job = run_in_foreground(
            asking.KIND, asked.job_key, study=study, parameters=asked.parameters, tell=tell
        )
        _ended(job)
    words = f"{len(asked.started)} runs computed, {len(asked.found)} found"
    refused = "; ".join(f"{name}: {why}" for name, why in asked.refused.items())
    return f"{words}; not scored: {refused}" if refused else words


def _judge(study: Study, row: Mapping[str, Any]) -> Step:
    judging = Judging(**row)

    def run(tell: ProgressCallback | None) -> str:
        question = question_of(study, judging)
        judging_cost(study, judging)  # refuses what cannot be asked
        if not question.of_pairs:
            return _scored(study, [run_request(question, judging)], tell)
        key, parameters = pairs_job(study, judging)
        job = run_in_foreground(judges.KIND, key, study=study, parameters=parameters, tell=tell)
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

    name = f"{study.slug}: judge {judging.model} on {judging.campaign or 'pairs of systems'}"
    return Step(f"{name} {_short(row)}".rstrip(), facts, run)


def _campaign(study: Study, row: Mapping[str, Any], owner: User | None) -> Step:
    chosen = f"preset:{row['preset']}" if "preset" in row else f"protocol:{row['protocol']}"
    kind, _, key = chosen.partition(":")
    known = PRESETS if kind == "preset" else PROTOCOLS
    if key not in known:
        raise RecipeError(f"campaigns: no {kind} {key!r}; there are: {', '.join(known)}")

    def run(tell: ProgressCallback | None) -> str:
        if owner is None:
            raise StepError("campaigns are prepared in somebody's name")
        made = prepare(study, chosen, row.get("title") or row["name"], row["name"], owner)
        names = ", ".join(campaign.slug for campaign in made)
        return f"{len(made)} campaigns prepared ({names}); look at them and start them"

    def facts() -> Any:
        # A campaign that somebody discarded is prepared again.
        there = Campaign.objects.filter(study=study, slug__startswith=row["name"]).exists()
        return [row, there]

    return Step(f"{study.slug}: campaign {row['name']}", facts, run)


def _report(study: Study, row: Mapping[str, Any], folder: Path) -> Step:
    if row["kind"] not in KINDS:
        known = ", ".join((*KINDS, COLLECTION))
        raise RecipeError(f"reports: no kind {row['kind']!r}; there are: {known}")
    place = folder / f"{study.slug}-{_file_name(row)}"

    def run(tell: ProgressCallback | None) -> str:
        question = Question.parse(row.get("filter", {}))
        tables = flat_tables(report(study, row["kind"], question))
        return _write(place, tables, row, study)

    name = f"{study.slug}: report {row['kind']} {_short(row)}".rstrip()
    return Step(name, lambda: [row, _state(study), settings.VERSION, place.is_file()], run)


def _comparison(
    collection: Collection, studies: list[Study], row: Mapping[str, Any], folder: Path
) -> Step:
    place = folder / f"{collection.slug}-{_file_name(row)}"

    def run(tell: ProgressCallback | None) -> str:
        return _write(place, tables_of(comparison(collection, row.get("by", ""))), row)

    def facts() -> Any:
        states = [_state(study) for study in studies]
        return [row, states, settings.VERSION, place.is_file()]

    return Step(f"{collection.slug}: comparison {_short(row)}".rstrip(), facts, run)


def _state(study: Study) -> str:
    """Return the state of ratings and scores as they are now: steps before have changed both."""
    return state_token(Study.objects.get(pk=study.pk))


def _write(place: Path, tables: Any, row: Mapping[str, Any], study: Study | None = None) -> str:
    chosen = row.get("format", "json")
    if row.get("table"):
        content = _TEXTS[chosen](table_named(tables, row["table"])).encode()
    elif chosen == "csv":
        content = zip_of_tables(tables)
    elif chosen == "latex":
        content = "\n".join(latex_table(each) for each in tables).encode()
    else:
        raise StepError(f"name a table of this report: {names_of(tables)}")
    place.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(place) as unfinished:
        unfinished.write_bytes(content)
    log_access(Action.EXPORTED, "report by recipe", study=study, size=len(content))
    return f"written to {place}"


def _file_name(row: Mapping[str, Any]) -> str:
    parts = [row["kind"], row.get("table", ""), row.get("by", "")]
    asked = row.get("filter")
    parts.append(digest(asked)[:8] if asked else "")
    chosen = row.get("format", "json")
    ending = "zip" if chosen == "csv" and not row.get("table") else _ENDINGS[chosen]
    return "-".join(filter(None, parts)).replace("/", "_") + f".{ending}"


def _short(row: Mapping[str, Any]) -> str:
    """Tell rows of one kind apart, whatever their order."""
    others = {name: value for name, value in row.items() if name not in ("kind", "writer")}
    return f"[{digest(others)[:6]}]" if len(row) > 1 else ""


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
