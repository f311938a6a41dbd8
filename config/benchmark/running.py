"""Running a recipe: what is done is not repeated, what fails is said, and the rest goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from analysis.collections.changing import CollectionError
from analysis.filter.question import QuestionError
from analysis.judging.questions import JudgingError
from analysis.tables.files import UnknownTable
from annotation.campaigns.service import CampaignError
from config.benchmark.ledger import Ledger
from config.benchmark.recipe import changes, read_recipe
from config.benchmark.step import StepError
from config.benchmark.steps import steps_of
from corpus.jobs.queue import JobActive
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
