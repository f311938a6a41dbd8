"""Asking a language model what raters are asked."""

from dataclasses import fields
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.judging.asked import Judging, ask_judge, judging_cost, question_of
from analysis.judging.questions import JudgingError
from corpus.api.jobs import JobSerializer
from corpus.api.studies import REFUSED, OfStudy

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
