"""Results of reports, sweeps and maps: kept under what they depend on, and pruned by rule."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, QuerySet, Sum
from django.db.models.functions import Length

from analysis.models import CollectionResult, Result
from corpus.models import Study
from corpus.storage.pruning import Leftover
from corpus.storage.write_turn import in_write_turn

STATES_KEPT = 3
"""Latest states of a study's ratings whose results stay: with and without withdrawn work, and one
before."""
NEVER_PRUNED = ("sweep",)
"""Kinds that somebody asked for by a job and finds again in a list."""
PICTURE = "picture"
"""The kind of charts for Findings; many are small, and none makes way for a report."""
PICTURES_KEPT = 100
"""The newest of a study: some aspects, each on six screens."""


def stored_result(study: Study, ratings_sha256: str, signature: str) -> Result | None:
    """Return a result if it is stored."""
    return Result.objects.filter(
        study=study, ratings_sha256=ratings_sha256, signature=signature
    ).first()


def store_result(
    study: Study, ratings_sha256: str, signature: str, kind: str, content: dict[str, Any]
) -> Result:
    """Store a result, or return the one that another process stored first; then prune.

    `ratings_sha256` is empty for what depends on no rating.
    """
    with transaction.atomic():
        result, is_new = Result.objects.get_or_create(
            study=study,
            ratings_sha256=ratings_sha256,
            signature=signature,
            defaults={"kind": kind, "content": content},
        )
    if is_new:
        prune(study)
    return result


def prune(study: Study) -> int:
    """Delete results that are unlikely to be asked for again; return how many.

    Kept are those of the latest states of the ratings, by what was stored last, and of these the
    newest `RESULTS_KEPT`; pictures are counted apart. What is gone is computed again when it is
    asked for.
    """
    of_study = Result.objects.filter(study=study)
    charts = of_study.filter(kind=PICTURE)
    shown = list(charts.order_by("-pk").values_list("pk", flat=True)[:PICTURES_KEPT])
    removed_charts, _ = charts.exclude(pk__in=shown).delete()
    prunable = of_study.exclude(kind__in=(*NEVER_PRUNED, PICTURE))
    states = prunable.exclude(ratings_sha256="").values("ratings_sha256")
    latest = states.annotate(last=Max("pk")).order_by("-last").values_list("ratings_sha256")
    # As values: a database need not take a limit inside a condition.
    kept_states = ["", *(sha256 for (sha256,) in latest[:STATES_KEPT])]
    kept = prunable.filter(ratings_sha256__in=kept_states).order_by("-pk")
    newest = list(kept.values_list("pk", flat=True)[: settings.RESULTS_KEPT])
    gone, _ = prunable.exclude(pk__in=newest).delete()
    return gone + removed_charts


RESULTS_AT_ONCE = 50


def old_results(now: datetime) -> Iterator[Leftover]:
    """Yield the results of each study and collection that are older than `RESULT_DAYS`."""
    before = now - timedelta(days=settings.RESULT_DAYS)
    of_studies = Result.objects.filter(created_at__lt=before).exclude(kind__in=NEVER_PRUNED)
    of_collections = CollectionResult.objects.filter(created_at__lt=before)
    yield from _of_each(of_studies, "study")
    yield from _of_each(of_collections, "collection")


def _of_each(
    results: QuerySet[Result] | QuerySet[CollectionResult], owner: str
) -> Iterator[Leftover]:
    named = f"{owner}__slug"
    counted = results.order_by().values(owner, named)
    for each in counted.annotate(count=Count("pk"), size=Sum(Length("content"))):
        name = f"results of {owner} {each[named]} ({each['count']})"
        rows = results.filter(**{owner: each[owner]})
        yield Leftover(name, each["size"], partial(_remove, rows))


def _remove(results: QuerySet[Result] | QuerySet[CollectionResult]) -> None:
    while _remove_some(results) == RESULTS_AT_ONCE:
        pass


@in_write_turn
def _remove_some(results: QuerySet[Result] | QuerySet[CollectionResult]) -> int:
    some = list(results.order_by("pk").values_list("pk", flat=True)[:RESULTS_AT_ONCE])
    results.model._default_manager.filter(pk__in=some).delete()
    return len(some)
