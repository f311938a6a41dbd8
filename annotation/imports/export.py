"""Stored ratings as rows of a bundle, read some thousand at a time.

Answers to control and practice items stay behind: a bundle has no items, and elsewhere they would
be taken for ratings of systems.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Q

from annotation.imports.judgements import UNSTATED, written_judgement
from annotation.models import Annotator, Rating, RatingQuerySet
from corpus.models import Study
from corpus.models.text import REFERENCE_SYSTEM, SOURCE_SYSTEM
from corpus.tables.register import ExportedTable

COLUMNS = (
    *("campaign", "segment", "system", "against", "rater", "rater_kind", "aspect"),
    *("score", "judgement", "revision", "variant", "comment"),
    *("against_variant", "side", "seconds"),
)
_FACTS = (
    *("submission__item__campaign__slug", "submission__item__first__segment__key"),
    "submission__item__first__system__ordinal",
    "submission__item__first__system__name",
    "submission__item__first__variant",
    "submission__item__second__system__ordinal",
    "submission__item__second__system__name",
    "submission__item__second__variant",
    *("submission__annotator__pseudonym", "submission__annotator__kind"),
    *("aspect", "value", "choice"),
    *("submission__revision", "submission__comment"),
    *("submission__swapped", "submission__active_seconds"),
)
_ROWS_AT_A_TIME = 5000


def export_ratings(study: Study) -> Iterator[ExportedTable]:
    """Give every rating that counts, of every revision, in the order in which they came.

    Answers to control and practice items, surplus and withdrawn ones are no ratings of systems; a
    table of ratings has no word for them, so they are in the file of a campaign's answers only.
    """
    ratings = Rating.objects.counted_with_earlier_revisions(study)
    if not ratings.exists():
        return
    unused = _unused(ratings)
    columns = [name for name in COLUMNS if name not in unused]
    places = [place for place, name in enumerate(COLUMNS, start=1) if name not in unused]
    rows = (tuple(row[place] for place in places) for row in _rows(study))
    yield ExportedTable.plain("ratings", columns, rows)


def _unused(ratings: RatingQuerySet) -> set[str]:
    """Return the columns that are left out because they would say nothing."""
    pairs = ratings.filter(submission__item__second__isnull=False)
    further = Q(submission__item__first__variant__gt=1) | Q(submission__item__second__variant__gt=1)
    saying = {
        "against_variant": pairs.filter(further),
        "side": pairs.filter(submission__swapped__isnull=False),
        "seconds": ratings.filter(submission__active_seconds__isnull=False),
    }
    return {name for name, rows in saying.items() if not rows.exists()}


def _rows(study: Study) -> Iterator[tuple[Any, ...]]:
    """Yield ratings by submission, page by page: no cursor stays open between two rows."""
    ratings = Rating.objects.counted_with_earlier_revisions(study)
    page = ratings_written(ratings.order_by("submission_id", "id")[:_ROWS_AT_A_TIME])
    while page:
        yield from page
        rating = Rating.objects.get(pk=page[-1][0])
        later = Q(submission_id__gt=rating.submission_id) | Q(
            submission_id=rating.submission_id, id__gt=rating.pk
        )
        further = ratings.filter(later).order_by("submission_id", "id")
        page = ratings_written(further[:_ROWS_AT_A_TIME])


def ratings_written(ratings: RatingQuerySet) -> list[tuple[Any, ...]]:
    """Return ratings as they are written in a table: the primary key, then `COLUMNS`."""
    return [
        (rating, campaign, segment, *_written(*facts))
        for rating, campaign, segment, *facts in ratings.values_list("id", *_FACTS)
    ]


def _written(*facts: Any) -> tuple[Any, ...]:
    first, second = _Text(*facts[:3]), _Text(*facts[3:6])
    rater, kind, aspect, value, choice, revision, comment, swapped, seconds = facts[6:]
    judged, other = (first, None)
    if second.system is not None:
        other, judged = sorted((first, second), key=_place)
    against = other.system if other else ""
    # Of one text a choice is a category, whatever its name.
    chosen = {"first": first, "second": second}.get(choice) if other else None
    if chosen is not None:
        choice = "system" if chosen is judged else "against"
    return (
        judged.system,
        against,
        "" if rater == UNSTATED else rater,
        "" if kind == Annotator.Kind.UNSTATED else kind,
        aspect,
        "" if value is None else value,
        written_judgement(choice, judged.system, against) if other else choice,
        revision,
        judged.variant,
        comment,
        other.variant if other else "",
        "" if swapped is None or other is None else "ab"[swapped is (judged is first)],
        "" if seconds is None else seconds,
    )


class _Text(NamedTuple):
    """One of the texts that a rating is about."""

    ordinal: int
    system: str
    variant: int


def _place(text: _Text) -> tuple[int, int, int]:
    """Say which of two texts is the one compared with: it does not depend on how they came in."""
    pseudo = {SOURCE_SYSTEM: 0, REFERENCE_SYSTEM: 1}.get(text.system, 2)
    return (pseudo, text.ordinal, text.variant)
