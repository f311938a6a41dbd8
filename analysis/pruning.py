"""Stored results that are too old; what is gone is computed again when it is asked for.

Frozen reports and publications hold all they need themselves.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import Length

from analysis.models import CollectionResult, Result
from analysis.stored_results import NEVER_PRUNED
from corpus.storage.pruning import Leftover
from corpus.storage.write_turn import in_write_turn

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
