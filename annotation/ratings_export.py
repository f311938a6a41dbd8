"""Stored ratings as rows of a bundle, read some thousand at a time."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Q

from annotation.judgements import UNSTATED, written_judgement
from annotation.models import Rating
from corpus.models import Study
from corpus.models.text import REFERENCE_SYSTEM, SOURCE_SYSTEM
from corpus.tables import ExportedTable

_COLUMNS = (
    *("campaign", "segment", "system", "against", "rater", "aspect"),
    *("score", "judgement", "revision", "variant", "comment"),
)
_ROWS_AT_A_TIME = 5000


def export_ratings(study: Study) -> Iterator[ExportedTable]:
    """Give every rating of every revision, in the order in which they came."""
    ratings = Rating.objects.filter(submission__item__campaign__study=study)
    if not ratings.exists():
        return
    columns = list(_COLUMNS)
    if _compares_variants(study):
        columns.append("against_variant")
    yield ExportedTable(
        file_name="ratings.csv",
        columns=columns,
        rows=(row[: len(columns)] for row in _rows(study)),
        mapping={"table": "ratings", "columns": {name: name for name in columns}},
    )


def _compares_variants(study: Study) -> bool:
    """Whether a text that something is compared with is not the first of its system."""
    pairs = Q(submission__item__campaign__study=study, submission__item__second__isnull=False)
    further = Q(submission__item__first__variant__gt=1) | Q(submission__item__second__variant__gt=1)
    return Rating.objects.filter(pairs & further).exists()


def _stored(study: Study) -> Iterator[tuple[Any, ...]]:
    """Yield ratings by submission, page by page: no cursor stays open between two rows."""
    ratings = (
        Rating.objects.filter(submission__item__campaign__study=study)
        .order_by("submission_id", "id")
        .values_list(
            "submission_id",
            "id",
            "submission__item__campaign__slug",
            "submission__item__first__segment__key",
            "submission__item__first__system__ordinal",
            "submission__item__first__system__name",
            "submission__item__first__variant",
            "submission__item__second__system__ordinal",
            "submission__item__second__system__name",
            "submission__item__second__variant",
            "submission__annotator__pseudonym",
            "aspect",
            "value",
            "choice",
            "submission__revision",
            "submission__comment",
        )
    )
    page = list(ratings[:_ROWS_AT_A_TIME])
    while page:
        yield from page
        submission, rating = page[-1][:2]
        later = Q(submission_id__gt=submission) | Q(submission_id=submission, id__gt=rating)
        page = list(ratings.filter(later)[:_ROWS_AT_A_TIME])


def _rows(study: Study) -> Iterator[tuple[Any, ...]]:
    for _, _, campaign, segment, *facts in _stored(study):
        first, second = _Text(*facts[:3]), _Text(*facts[3:6])
        rater, aspect, value, choice, revision, comment = facts[6:]
        judged, other = (first, None)
        if second.system is not None:
            other, judged = sorted((first, second), key=_place)
        against = other.system if other else ""
        chosen = {"first": first, "second": second}.get(choice)
        if chosen is not None:
            choice = "system" if chosen is judged else "against"
        yield (
            campaign,
            segment,
            judged.system,
            against,
            "" if rater == UNSTATED else rater,
            aspect,
            "" if value is None else value,
            written_judgement(choice, judged.system, against),
            revision,
            judged.variant,
            comment,
            other.variant if other else "",
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
