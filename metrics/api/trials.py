"""Trying metrics on two texts."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.errors import ErrorSerializer
from corpus.api.studies import OfStudy
from metrics.attribution.masking import AT_LEAST_ONE, RULES
from metrics.trials.data import trial_data, usual_model
from metrics.trials.styles import MOST_MODELS, models_for
from metrics.trials.trial import LONGEST_TEXT, Busy, Trial, own_turn


class TrialSerializer(serializers.Serializer[Any]):
    """Two texts, and what is known of them."""

    source = serializers.CharField(max_length=LONGEST_TEXT)  # type: ignore[assignment]
    output = serializers.CharField(max_length=LONGEST_TEXT)
    reference = serializers.CharField(
        max_length=LONGEST_TEXT, required=False, default="", allow_blank=True
    )
    target_style = serializers.CharField(
        max_length=100,
        required=False,
        default="",
        allow_blank=True,
        help_text="Style that the output should have; style metrics ask for it.",
    )
    model = serializers.CharField(
        max_length=100,
        required=False,
        default="",
        allow_blank=True,
        help_text="Style model of the words and the style metrics; a fine-tuned one if not given.",
    )
    rule = serializers.ChoiceField(
        choices=list(RULES),
        default=AT_LEAST_ONE,
        help_text="Which words are masked where one alone exceeds the threshold.",
    )


class TrialView(OfStudy):
    """A trial beside a study, whose style models go first."""

    tag = "scores"
    operation_ids = {"POST": "try"}
    body_serializer_class = TrialSerializer
    owner_methods = ()

    @extend_schema(
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "Styles, words and metrics."),
            503: ErrorSerializer,
        }
    )
    def post(self, request: Request, slug: str) -> Response:
        """Say what style models and every default metric make of two texts; nothing is stored."""
        given = self.read_body()
        name = given.pop("model")
        models = list(models_for(request.user, self.study)[:MOST_MODELS])
        chosen = next((model for model in models if model.name == name), None)
        if name and chosen is None:
            known = ", ".join(model.name for model in models) or "none"
            raise ValidationError({"model": f"no style model {name!r}; there are: {known}"})
        try:
            with own_turn():
                return Response(trial_data(Trial(**given), models, chosen or usual_model(models)))
        except Busy as busy:
            content = {"detail": str(busy), "problems": []}
            return Response(content, status.HTTP_503_SERVICE_UNAVAILABLE)
