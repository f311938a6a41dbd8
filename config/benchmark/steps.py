"""The steps of a benchmark, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db.models import Q

from analysis.models import Collection
from config.benchmark.making import (
    baseline_step,
    campaign_step,
    judge_step,
    metric_step,
    writer_step,
)
from config.benchmark.recipe import COLLECTION, Recipe, RecipeError
from config.benchmark.reporting import comparison_step, report_step
from config.benchmark.step import Step
from corpus.models import Membership, Study


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
