"""What an owner starts by the API: choosing segments, asking a judge, sweeping settings."""

from dataclasses import fields
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from analysis.api.reports import WaitingSerializer
from analysis.choosing.candidates import ChoiceError
from analysis.choosing.service import SegmentsAsked, choose
from analysis.data.narrowing import asked_data
from analysis.filter.question import Question, QuestionError
from analysis.judging.asked import Judging, ask_judge, judging_cost, question_of
from analysis.judging.questions import JudgingError
from analysis.models import Result
from analysis.stats.saving.segment_sample import ALLOCATIONS, WAYS
from analysis.sweeps.asked import MASKS, UNITS, Sweep, SweepError, checked_grid
from analysis.sweeps.service import ask_for_sweep, sweeps_of, usual_model
from annotation.campaigns.service import CampaignError, prepare
from annotation.protocols.catalogue import LIVE, PRESETS
from corpus.api.jobs import NUMBER, JobSerializer, job_response
from corpus.api.paging import KeyPagination
from corpus.api.studies import REFUSED, SLUG, OfStudy
from metrics.attribution.masking import AT_LEAST_ONE, RULES
from metrics.trials.styles import THRESHOLDS

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
        choices=WAYS, default="probability", help_text="With known probabilities, or the best."
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


MOST = 1e9


class JudgingSerializer(serializers.Serializer[Any]):
    """Which question is put to whom, and what it may cost."""

    campaign = serializers.CharField(
        required=False,
        max_length=100,
        help_text="Whose question it is; without one, which of two outputs is better, for all "
        "pairs of systems.",
    )
    aspect = serializers.CharField(
        required=False, max_length=100, help_text="Of the campaign; its first if not given."
    )
    model = serializers.CharField(
        required=False, max_length=200, help_text="`smollm2` if not given."
    )
    base_url = serializers.CharField(
        required=False,
        max_length=500,
        help_text="Address that the administrator allows; a model of this machine if not given.",
    )
    answer = serializers.ChoiceField(choices=["weighted", "greedy"], required=False)
    guidelines = serializers.BooleanField(
        required=False, help_text="Whether the campaign's guidelines stand before the question."
    )
    segments = serializers.IntegerField(required=False, min_value=0, max_value=10**8)
    price_in = serializers.FloatField(required=False, min_value=0, max_value=MOST)
    price_out = serializers.FloatField(required=False, min_value=0, max_value=MOST)
    budget = serializers.FloatField(required=False, min_value=0, max_value=MOST)
    dry_run = serializers.BooleanField(
        default=False, help_text="Only say what is asked and what it costs."
    )


class JudgingAnswerSerializer(serializers.Serializer[Any]):
    """What is asked, what it costs by estimate, and the jobs that ask."""

    prompt = serializers.CharField()
    questions = serializers.IntegerField(source="cost.questions")
    answered = serializers.IntegerField(source="cost.answered", help_text="Of these, before.")
    tokens_in = serializers.IntegerField(source="cost.tokens.read")
    tokens_out = serializers.IntegerField(source="cost.tokens.written", help_text="At most.")
    price = serializers.FloatField(source="cost.price")
    seconds = serializers.FloatField(
        source="cost.seconds", allow_null=True, help_text="Null as long as nobody has answered."
    )
    jobs = JobSerializer(many=True)


class JudgesView(OfStudy):
    """Ask a judge."""

    tag = "scores"
    operation_ids = {"POST": "ask_judge"}
    body_serializer_class = JudgingSerializer

    @extend_schema(
        responses={200: JudgingAnswerSerializer, 202: JudgingAnswerSerializer, **REFUSED}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask a language model; 202 with the jobs, 200 if it was only estimated or all is known."""
        given = dict(self.read_body())
        dry_run = given.pop("dry_run")
        known = {field.name for field in fields(Judging)}
        judging = Judging(**{name: value for name, value in given.items() if name in known})
        try:
            content = {
                "prompt": question_of(self.study, judging).prompt,
                "cost": judging_cost(self.study, judging),
                "jobs": [] if dry_run else ask_judge(self.study, judging, self.signed_in_user),
            }
        except JudgingError as error:
            raise ValidationError({"detail": str(error)}) from None
        answer = JudgingAnswerSerializer(content, context=self.get_serializer_context())
        return Response(
            answer.data, status.HTTP_202_ACCEPTED if content["jobs"] else status.HTTP_200_OK
        )


SWEEP = OpenApiParameter("id", NUMBER, OpenApiParameter.PATH, description="Number of the sweep")


class SweepRequestSerializer(serializers.Serializer[Any]):
    """A metric under every combination of settings, beside human judgement of an aspect."""

    metric = serializers.CharField(max_length=200, help_text="Key of a metric, see `metrics/`.")
    aspect = serializers.CharField(max_length=100, help_text="What human raters judged.")
    scores = serializers.ChoiceField(choices=["raw", "z"], default="raw")
    against = serializers.CharField(
        required=False,
        default="",
        max_length=50,
        help_text="`source`, `reference.2` or `references`; what the metric prefers if not given.",
    )
    model = serializers.CharField(
        required=False,
        max_length=100,
        allow_blank=True,
        help_text="Classifier whose attributions say what is masked; the first fine-tuned one if "
        "not given, none if empty.",
    )
    thresholds = serializers.ListField(
        child=serializers.FloatField(min_value=0, max_value=1),
        default=list(THRESHOLDS),
        max_length=20,
    )
    masks = serializers.ListField(
        child=serializers.ChoiceField(choices=list(MASKS)), default=list(MASKS), max_length=2
    )
    units = serializers.ListField(
        child=serializers.ChoiceField(choices=list(UNITS)), default=list(UNITS), max_length=2
    )
    rules = serializers.ListField(
        child=serializers.ChoiceField(choices=list(RULES)),
        default=[AT_LEAST_ONE],
        min_length=1,
        max_length=2,
        help_text="Which words are masked where one alone exceeds the threshold.",
    )
    grid = serializers.DictField(
        child=serializers.ListField(max_length=60),
        default=dict,
        help_text="Parameters of the metric to the values that are tried.",
    )


class SweepSerializer(serializers.Serializer[Result]):
    """A sweep that was made."""

    id = serializers.IntegerField()
    url = serializers.URLField()
    metric = serializers.CharField()
    aspect = serializers.CharField()
    settings = serializers.IntegerField(help_text="How many were compared.")
    made_at = serializers.DateTimeField()

    def to_representation(self, instance: Result) -> dict[str, Any]:
        """Return the facts of a stored sweep."""
        asked, place = instance.content["sweep"], [instance.study.slug, instance.pk]
        return {
            "id": instance.pk,
            "url": reverse("api-sweep", args=place, request=self.context["request"]),
            "metric": asked["metric"],
            "aspect": asked["aspect"],
            "settings": len(instance.content["rows"]),
            "made_at": instance.created_at,
        }


class SweepsView(OfStudy, ListAPIView[Result]):
    """List the sweeps of a study, in the order in which they were made."""

    tag = "reports"
    operation_ids = {"GET": "study_sweeps", "POST": "start_sweep"}
    serializer_class = SweepSerializer
    body_serializer_class = SweepRequestSerializer
    pagination_class = KeyPagination

    def get_queryset(self) -> QuerySet[Result]:
        """Return the stored sweeps of the study."""
        return sweeps_of(self.study).select_related("study")

    @extend_schema(responses={202: JobSerializer, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Start a sweep; the answer is the job, whose `result` names the sweep once it is done."""
        given = self.read_body()
        try:
            given["grid"] = checked_grid(given["metric"], given["grid"])
            sweep = Sweep(**{"model": usual_model(self.study), **given})
            job = ask_for_sweep(self.study, sweep, self.signed_in_user)
        except SweepError as error:
            raise ValidationError({"detail": str(error)}) from None
        return job_response(request, job, status.HTTP_202_ACCEPTED)


class SweepView(OfStudy):
    """One sweep."""

    tag = "reports"
    operation_ids = {"GET": "sweep"}
    parameters = (SLUG, SWEEP)

    @extend_schema(
        responses=OpenApiResponse(OpenApiTypes.OBJECT, "Every setting, and the honest choice.")
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return a sweep: the correlation of each setting, and that of choosing the best."""
        return Response(get_object_or_404(sweeps_of(self.study), pk=pk).content)
