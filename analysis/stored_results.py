"""Results of reports, sweeps and maps: kept under what they depend on, and pruned by rule."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from analysis.models import Result
from corpus.models import Study

STATES_KEPT = 3
"""Latest states of a study's ratings whose results stay: with and without withdrawn work, and one
before."""
NEVER_PRUNED = ("sweep",)
"""Kinds that somebody asked for by a job and finds again in a list."""
PICTURE = "picture"
"""The kind of what is drawn for Findings; many are small, and none makes way for a report."""
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
    drawn = of_study.filter(kind=PICTURE)
    shown = list(drawn.order_by("-pk").values_list("pk", flat=True)[:PICTURES_KEPT])
    undrawn, _ = drawn.exclude(pk__in=shown).delete()
    prunable = of_study.exclude(kind__in=(*NEVER_PRUNED, PICTURE))
    states = prunable.exclude(ratings_sha256="").values("ratings_sha256")
    latest = states.annotate(last=Max("pk")).order_by("-last").values_list("ratings_sha256")
    # As values: a database need not take a limit inside a condition.
    kept_states = ["", *(sha256 for (sha256,) in latest[:STATES_KEPT])]
    kept = prunable.filter(ratings_sha256__in=kept_states).order_by("-pk")
    newest = list(kept.values_list("pk", flat=True)[: settings.RESULTS_KEPT])
    gone, _ = prunable.exclude(pk__in=newest).delete()
    return gone + undrawn
