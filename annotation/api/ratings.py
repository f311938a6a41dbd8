"""Ratings of a study that count, page by page, in the columns of a bundle's table."""

from typing import Any

from django.db.models import Exists, OuterRef
from rest_framework import serializers
from rest_framework.generics import ListAPIView

from annotation.imports.export import COLUMNS, ratings_written
from annotation.models import Rating, RatingQuerySet, Submission
from corpus.api.paging import KeyPagination, MadeRowSerializer
from corpus.api.studies import OfStudy

_MAY_LACK = ("score", "against_variant", "seconds")


class RatingSerializer(MadeRowSerializer):
    """One answer of one rater on one aspect: a score, or a judgement in words."""

    id = serializers.IntegerField()
    campaign = serializers.CharField()
    segment = serializers.CharField()
    system = serializers.CharField()
    against = serializers.CharField(help_text="The other system of a comparison, else empty.")
    rater = serializers.CharField(help_text="Empty where it is not stated.")
    rater_kind = serializers.CharField(
        help_text="person, place, model, mean, median or majority; empty where it is not stated."
    )
    aspect = serializers.CharField()
    score = serializers.FloatField(allow_null=True)
    judgement = serializers.CharField(help_text="source, output, tie or a system; else empty.")
    revision = serializers.IntegerField(help_text="The highest of an answer counts.")
    variant = serializers.IntegerField()
    comment = serializers.CharField()
    against_variant = serializers.IntegerField(allow_null=True)
    side = serializers.CharField(
        help_text="Of a comparison: a or b, where the system's text was shown; empty if not known."
    )
    seconds = serializers.FloatField(allow_null=True, help_text="Active time on the item.")


class RatingPages(KeyPagination):
    """Pages of ratings as a bundle writes them, each with its id."""

    def rows_after(self, queryset: RatingQuerySet, after: Any, count: int) -> list[dict[str, Any]]:
        """Read up to `count` ratings whose ids are greater."""
        return [_named(row) for row in ratings_written(queryset.filter(pk__gt=after or 0)[:count])]

    def key_of(self, row: dict[str, Any]) -> Any:
        """Return the id of a rating."""
        return row["id"]


class RatingsView(OfStudy, ListAPIView[Any]):
    """List the ratings of a study that count, in the order in which they were stored.

    As everywhere in Touchstone: the latest revisions of answers to the items of systems. Answers to
    practice and control items, extra and withdrawn answers are none.
    """

    tag = "ratings"
    operation_ids = {"GET": "study_ratings"}
    serializer_class = RatingSerializer
    pagination_class = RatingPages

    def get_queryset(self) -> RatingQuerySet:
        """Return the study's ratings in the order of their ids.

        Joins would let the database start from the study, and sort all its ratings for each page.
        """
        answers = Submission.objects.counted(self.study).filter(pk=OuterRef("submission"))
        return Rating.objects.filter(Exists(answers)).order_by("pk")


def _named(row: tuple[Any, ...]) -> dict[str, Any]:
    named = dict(zip(("id", *COLUMNS), row, strict=True))
    return named | {name: None for name in _MAY_LACK if named[name] == ""}
