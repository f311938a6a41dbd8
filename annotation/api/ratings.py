"""Ratings of a study, page by page, in the columns of a bundle's table."""

from typing import Any

from django.db.models import Exists, OuterRef
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.models import Rating, RatingQuerySet, Submission
from annotation.ratings_export import COLUMNS, ratings_written
from corpus.access import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.paging import (
    PAGE_PARAMETERS,
    Page,
    page_of,
    page_response,
    read_after,
    read_limit,
)
from corpus.api.studies import FORBIDDEN, SLUG
from corpus.models import Study

_MAY_LACK = ("score", "against_variant", "seconds")


class RatingSerializer(serializers.Serializer[Any]):
    """One answer of one rater on one aspect: a score, or a judgement in words."""

    id = serializers.IntegerField()
    campaign = serializers.CharField()
    segment = serializers.CharField()
    system = serializers.CharField()
    against = serializers.CharField(help_text="The other system of a comparison, else empty.")
    rater = serializers.CharField(help_text="Empty where it is not stated.")
    rater_kind = serializers.CharField(
        help_text="person, model, mean or majority; empty where it is not stated."
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


class RatingsView(APIView):
    """Ratings of a study."""

    @extend_schema(
        operation_id="study_ratings",
        tags=["ratings"],
        parameters=[SLUG, *PAGE_PARAMETERS],
        responses={200: page_of(RatingSerializer), 400: ErrorSerializer, **FORBIDDEN},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the ratings of a study, every revision, in the order in which they were stored."""
        study = study_for(request.user, slug)
        limit, after = read_limit(request), read_after(request)
        found = ratings_written(_stored_after(study, after or 0)[: limit + 1])
        page = Page(found[:limit], found[limit - 1][0] if len(found) > limit else None)
        return page_response(request, page, [_named(row) for row in page.rows])


def _stored_after(study: Study, after: int) -> RatingQuerySet:
    """Return a study's ratings in the order of their ids.

    Joins would let the database start from the study, and sort all its ratings for each page.
    """
    of_study = Submission.objects.filter(pk=OuterRef("submission"), item__campaign__study=study)
    return Rating.objects.filter(Exists(of_study), pk__gt=after).order_by("pk")


def _named(row: tuple[Any, ...]) -> dict[str, Any]:
    named = dict(zip(("id", *COLUMNS), row, strict=True))
    return named | {name: None for name in _MAY_LACK if named[name] == ""}
