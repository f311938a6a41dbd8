"""What campaigns of a study registered before their first rating, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.preregistration.service import checked_of_study
from corpus.api.studies import OfStudy


class PreregistrationSerializer(serializers.Serializer[Any]):
    """One version of a campaign's plan, and what a look at it finds."""

    campaign = serializers.CharField(source="kept.campaign", help_text="Its short name.")
    version = serializers.IntegerField(source="kept.version", help_text="The last one counts.")
    registered_at = serializers.DateTimeField(source="kept.registered_at")
    sha256 = serializers.CharField(
        source="kept.sha256",
        help_text="Of `content` as JSON with sorted keys, no spaces, in UTF-8.",
    )
    public = serializers.BooleanField(source="kept.public", help_text="Whether anybody reads it.")
    is_intact = serializers.BooleanField(help_text="Whether the content still has its hash.")
    imported_at = serializers.DateTimeField(
        source="kept.imported_at",
        allow_null=True,
        help_text="When an import brought it: the file states its time, this server did not see "
        "it. Null if it was registered here.",
    )
    is_before_ratings = serializers.BooleanField(
        allow_null=True,
        help_text="Whether it is older than the first rating; null if plan or ratings were "
        "imported, so that this server cannot know.",
    )
    deviations = serializers.ListField(
        child=serializers.CharField(),
        help_text="In which parts the campaign's design is no longer the registered one.",
    )
    content = serializers.DictField(source="kept.content", help_text="All that was registered.")


class PreregistrationsView(OfStudy):
    """Preregistrations of a study."""

    tag = "campaigns"
    operation_ids = {"GET": "study_preregistrations"}

    @extend_schema(responses={200: PreregistrationSerializer(many=True)})
    def get(self, request: Request, slug: str) -> Response:
        """List every version of every campaign's plan, those of a campaign in their order."""
        found = checked_of_study(self.study)
        return Response(PreregistrationSerializer(found, many=True).data)
