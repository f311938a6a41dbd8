"""Choosing the segments of a campaign, and preparing it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.api.views import WaitingSerializer
from analysis.choosing.candidates import ChoiceError
from analysis.choosing.service import SegmentsAsked, choose
from analysis.data.narrowing import asked_data
from analysis.filter.question import Question, QuestionError
from analysis.stats.saving.segment_sample import ALLOCATIONS, WAYS
from annotation.campaigns.service import CampaignError, prepare
from annotation.protocols.catalogue import LIVE, PRESETS
from corpus.api.studies import REFUSED, OfStudy

FOLLOWS = [*(f"preset:{key}" for key in PRESETS), *(f"protocol:{key}" for key in LIVE)]


class ChoiceRequestSerializer(serializers.Serializer[Any]):
    """Which segments are wanted, and the campaign that shall rate them."""

    by = serializers.CharField(
        max_length=300,
        help_text="`together`, `diversity`, `embeddings`, `ratings`, `metrics`, or the name of a "
        "metric.",
    )
    segments = serializers.IntegerField(min_value=1, max_value=10_000_000)
    way = serializers.ChoiceField(
        choices=WAYS,
        default="probability",
        help_text="With known probabilities, or the best.",
    )
    strata = serializers.ListField(
        child=serializers.CharField(max_length=200),
        default=list,
        max_length=10,
        help_text="`direction` and names of attributes of segments.",
    )
    allocation = serializers.ChoiceField(choices=ALLOCATIONS, default="proportional")
    unrated = serializers.BooleanField(
        default=False, help_text="Only segments that nobody rated on the aspect."
    )
    seed = serializers.IntegerField(min_value=0, max_value=2**31, default=1)
    aspect = serializers.CharField(max_length=200, default="", allow_blank=True)
    follows = serializers.ChoiceField(
        choices=FOLLOWS,
        required=False,
        help_text="Protocol or preset of the campaign; none is prepared if not given.",
    )
    title = serializers.CharField(max_length=150, default="Chosen segments")
    slug = serializers.SlugField(max_length=60, default="chosen-segments")


class ChosenStratumSerializer(serializers.Serializer[Any]):
    """A stratum of the sample."""

    name = serializers.CharField(allow_blank=True)
    segments = serializers.IntegerField()
    chosen = serializers.IntegerField()


class ChoiceSerializer(serializers.Serializer[Any]):
    """Chosen segments, and the campaigns that were prepared."""

    words = serializers.CharField(help_text="How they were chosen.")
    among = serializers.IntegerField(help_text="How many there were to choose from.")
    strata = ChosenStratumSerializer(many=True)
    segments = serializers.ListField(child=serializers.CharField())
    inclusion = serializers.DictField(
        child=serializers.FloatField(),
        help_text="Key to the probability of being chosen; empty where the best were taken.",
    )
    campaigns = serializers.ListField(child=serializers.CharField())


class ChosenSegmentsView(OfStudy):
    """Choose segments of a study by what rating them is worth."""

    tag = "reports"
    operation_ids = {"POST": "choose_segments"}
    serializer_class = ChoiceSerializer
    body_serializer_class = ChoiceRequestSerializer

    @extend_schema(
        responses={
            **{200: ChoiceSerializer, 201: ChoiceSerializer, 202: WaitingSerializer},
            **REFUSED,
        }
    )
    def post(self, request: Request, slug: str) -> Response:
        """Choose segments; with `follows`, prepare the draft of a campaign that rates them.

        202 with a job where a study has many outputs that were not compared yet: ask again when
        it is done.
        """
        values = self.read_body()
        try:
            question = Question(aspect=values["aspect"])
            asked = SegmentsAsked(
                by=values["by"],
                count=values["segments"],
                way=values["way"],
                allocation=values["allocation"],
                strata=tuple(values["strata"]),
                unrated=values["unrated"],
                seed=values["seed"],
            )
            found = choose(asked_data(self.study, question), question, asked).segments
            made = []
            if follows := values.get("follows"):
                user = self.signed_in_user
                made = prepare(
                    *(self.study, follows, values["title"], values["slug"], user), segments=found
                )
        except (QuestionError, ChoiceError, CampaignError) as error:
            raise ValidationError({"detail": f"{error}."}) from None
        content = {
            "words": found.words,
            "among": found.among,
            "strata": found.strata_counted,
            "segments": list(found.segments),
            "inclusion": found.inclusion,
            "campaigns": [campaign.slug for campaign in made],
        }
        code = status.HTTP_201_CREATED if made else status.HTTP_200_OK
        return Response(ChoiceSerializer(content).data, status=code)
