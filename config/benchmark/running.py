"""Running a recipe: its steps in their order; what is done is not repeated, what fails is said."""

from collections.abc import Callable, Iterator
from pathlib import Path

from django.contrib.auth.models import User
from django.db.models import Q

from analysis.collections.changing import CollectionError
from analysis.filter.question import QuestionError
from analysis.judging.questions import JudgingError
from analysis.models import Collection
from analysis.tables.files import UnknownTable
from annotation.campaigns.service import CampaignError
from config.benchmark.making import (
    baseline_step,
    campaign_step,
    judge_step,
    metric_step,
    writer_step,
)
from config.benchmark.recipe import COLLECTION, Recipe, RecipeError, changes, read_recipe
from config.benchmark.reporting import comparison_step, report_step
from config.benchmark.step import Ledger, Step, StepError
from corpus.jobs.queue import JobActive
from corpus.models import Membership, Study
from corpus.progress import ProgressCallback, unreported
from metrics.baselines import BaselineError
from metrics.runs.requests import RequestError
from metrics.scorers.registry import UnknownMetric
from metrics.scorers.scorer import Unavailable
from metrics.writers.registry import UnknownWriter
from metrics.writers.writer import WriterError

REFUSALS = (
    *(StepError, WriterError, UnknownWriter, Unavailable, BaselineError, RequestError),
    *(UnknownMetric, QuestionError, UnknownTable, CampaignError, CollectionError, JobActive),
    JudgingError,
)
ENDING = ".done.json"


def ledger_of(path: Path) -> Path:
    """Return the file in which a recipe's done steps are noted."""
    return path.with_name(path.name + ENDING)


def run_recipe(
    path: Path,
    say: Callable[[str], object],
    tell: ProgressCallback = unreported,
    *,
    only_plan: bool = False,
) -> int:
    """Do what is left of a recipe; return how many steps failed.

    Parameters
    ----------
    path
        Of the recipe.
    say
        Hears a line for each step, and for each change of the recipe.
    tell
        Hears how far a step is.
    only_plan
        Say what is to be done, and do nothing.

    Raises
    ------
    config.benchmark.recipe.RecipeError
        If the recipe makes no sense, or names something that does not exist.
    """
    recipe = read_recipe(path)
    steps = list(steps_of(recipe))
    ledger = Ledger(ledger_of(path))
    if ledger.recipe is not None:
        for change in changes(ledger.recipe, recipe.content):
            say(f"recipe {change}")
        gone = ledger.done.keys() - {step.name for step in steps}
        for name in sorted(gone):
            say(f"no longer in the recipe: {name}; what it made stays")
    failed = 0
    for step in steps:
        try:
            before = ledger.result(step.name, step.facts())
            if before is not None:
                say(f"done before: {step.name}: {before}")
            elif only_plan:
                say(f"to do: {step.name}")
            else:
                result = step.run(tell)
                ledger.keep(recipe.content, step.name, step.facts(), result)
                say(f"done: {step.name}: {result}")
        except REFUSALS as error:
            failed += 1
            say(f"FAILED: {step.name}: {error}")
    if not only_plan:
        ledger.save(recipe.content)
    return failed


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
            yield baseline_step(study, row)
        for row in recipe.writers:
            yield writer_step(study, row)
        for row in recipe.metrics:
            yield metric_step(study, row)
        for row in recipe.campaigns:
            yield campaign_step(study, row, owner)
        for row in recipe.judges:
            yield judge_step(study, row)
        for row in recipe.reports:
            if row["kind"] != COLLECTION:
                yield report_step(study, row, recipe.folder)
    for row in recipe.reports:
        if row["kind"] == COLLECTION and collection is not None:
            yield comparison_step(collection, row, recipe.folder)


def _studies(recipe: Recipe) -> tuple[list[Study], Collection | None]:
    collection = None
    slugs = list(recipe.studies)
    if recipe.collection:
        collection = Collection.objects.filter(slug=recipe.collection).first()
        if collection is None:
            known = ", ".join(Collection.objects.values_list("slug", flat=True)) or "none"
            raise RecipeError(
                f"collection: none is called {recipe.collection!r}; there are: {known}"
            )
        if not collection.tasks.exists():
            raise RecipeError(
                f"collection: {recipe.collection} has no tasks, so there is nothing to compare; "
                "add some on its page"
            )
        if not slugs:
            of_tasks = collection.tasks.order_by("ordinal").values_list("study__slug", flat=True)
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
        raise RecipeError(
            f"owner: nobody is called {recipe.owner!r}; name an owner of the studies or an "
            f"administrator: {_possible_owners(studies)}"
        )
    owned = Membership.objects.filter(user=person, role=Membership.Role.OWNER)
    for study in studies:
        if not (person.is_superuser or owned.filter(study=study).exists()):
            raise RecipeError(
                f"owner: {recipe.owner} does not own the study {study.slug}; those who may prepare "
                f"its campaigns: {_possible_owners([study])}"
            )
    return person


def _possible_owners(studies: list[Study]) -> str:
    owners = Membership.objects.filter(study__in=studies, role=Membership.Role.OWNER)
    people = User.objects.filter(Q(is_superuser=True) | Q(pk__in=owners.values("user")))
    names = ", ".join(people.order_by("username").values_list("username", flat=True))
    return names or "none yet; manage.py sign_in_link NAME --create makes an administrator"
