"""Models that are trained for a study: style models, and writers that are fine-tuned."""

from collections.abc import Sequence
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.bodies import BoundedJSONParser, StorableMultiPartParser
from corpus.api.errors import ErrorSerializer
from corpus.api.jobs import JobSerializer, job_response
from corpus.api.studies import REFUSED, OfStudy
from corpus.imports.uploads import discard_upload, keep_upload, upload_path
from corpus.jobs.queue import JobActive
from metrics.api.form_fields import FormSerializer
from metrics.forms.styles import TrainForm
from metrics.forms.writing import TrainWriterForm
from metrics.models import TrainedModel
from metrics.resources.style_training import StyleTraining
from metrics.resources.trained_models import models_of
from metrics.resources.training import ask_for_training
from metrics.resources.writer_training import WriterTraining, training_words
from metrics.scorers.spec import ParameterError
from metrics.styles.evaluation import quality_words
from metrics.styles.labelled import TrainingError

_SCALAR = {"oneOf": [{"type": each} for each in ("string", "number", "boolean")]}


@extend_schema_field({"type": "object", "additionalProperties": _SCALAR})
class SettingsField(serializers.JSONField):
    """An object of texts, numbers and booleans; in a form it is written as JSON."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the object, or refuse what is none."""
        value = super().to_internal_value(data)
        if not isinstance(value, dict):
            raise serializers.ValidationError("Expected an object of names and values.")
        for name, each in value.items():
            if not isinstance(each, str | int | float):
                raise serializers.ValidationError(f"{name}: expected a text, number or boolean.")
        return value


class StyleTrainingSerializer(FormSerializer):
    """A style model to be trained on the labels of the study."""

    form = TrainForm
    names: ClassVar[Sequence[str]] = ("name", "kind", "folds", "by_split", "held_out", "seed")
    settings = SettingsField(
        default=dict, help_text="Of the kind, those that differ from the defaults."
    )


class LabelledFileSerializer(StyleTrainingSerializer):
    """A style model to be trained on a file of labelled texts or pairs."""

    names = (
        *StyleTrainingSerializer.names,
        *("file", "texts", "text_column", "label_column", "graded", "target_column"),
        *("source_style", "target_style", "split_column"),
    )


class TrainedSerializer(serializers.Serializer[Any]):
    """A model that was trained."""

    name = serializers.CharField()
    kind = serializers.CharField()
    styles = serializers.ListField(
        child=serializers.CharField(), help_text="One where texts were graded."
    )
    is_shared = serializers.BooleanField(help_text="Whether all studies may use it.")
    quality = serializers.CharField(help_text="How good it is on held-out texts, in words.")
    sha256 = serializers.CharField(help_text="Hash of the model; in the signature of its runs.")
    created_at = serializers.DateTimeField()


def _listed(model: TrainedModel, quality: str) -> dict[str, Any]:
    names = ("name", "kind", "styles", "sha256", "created_at")
    facts = {name: getattr(model, name) for name in names}
    return facts | {"is_shared": model.study_id is None, "quality": quality}


class StyleModelsView(OfStudy):
    """Style models that a study may use."""

    tag = "scores"
    operation_ids = {"GET": "style_models", "POST": "train_style_model"}
    serializer_class = TrainedSerializer
    body_serializer_class = StyleTrainingSerializer
    parser_classes = (BoundedJSONParser, StorableMultiPartParser)
    takes_files = True

    @extend_schema(responses={200: TrainedSerializer(many=True)})
    def get(self, request: Request, slug: str) -> Response:
        """List the style models that the study may use: its own, and those of all studies."""
        found = [_listed(model, quality_words(model.report)) for model in models_of(self.study)]
        return Response(TrainedSerializer(found, many=True).data)

    @extend_schema(
        request={
            "application/json": StyleTrainingSerializer,
            "multipart/form-data": LabelledFileSerializer,
        },
        responses={202: JobSerializer, 400: ErrorSerializer, 413: ErrorSerializer, **REFUSED},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Train a style model; 202 with the job. A form may bring a file of labelled texts."""
        given = self.read_body()
        file = given.pop("file", None)
        upload = upload_path(keep_upload([file])) if file else None
        try:
            wanted = StyleTraining.asked(given, str(upload or ""))
            job = ask_for_training(self.study, wanted, self.signed_in_user)
        except (TrainingError, ParameterError, JobActive) as error:
            if upload:
                discard_upload(upload)
            if isinstance(error, JobActive):
                raise
            raise ValidationError({"detail": str(error)}) from None
        return job_response(request, job, status.HTTP_202_ACCEPTED)

    def get_serializer_class(self) -> type[serializers.BaseSerializer[Any]]:
        """Return the serializer of what is sent: a form may have a file."""
        content_type = self.request.content_type or ""
        if self.request.method == "POST" and content_type.startswith("multipart/"):
            return LabelledFileSerializer
        return super().get_serializer_class()


class WriterTrainingSerializer(FormSerializer):
    """A writer to be fine-tuned on the pairs of the study."""

    form = TrainWriterForm
    names = ("name", "held_out", "seed")
    settings = SettingsField(
        default=dict,
        help_text="base (smollm2, or a model that the administrator lists), method (lora, whole), "
        "epochs, rate and others, those that differ from the defaults.",
    )


class WriterModelsView(OfStudy):
    """Writers that were fine-tuned on the pairs of a study."""

    tag = "texts"
    operation_ids = {"GET": "writer_models", "POST": "train_writer_model"}
    serializer_class = TrainedSerializer
    body_serializer_class = WriterTrainingSerializer
    parser_classes = (BoundedJSONParser,)

    @extend_schema(responses={200: TrainedSerializer(many=True)})
    def get(self, request: Request, slug: str) -> Response:
        """List the writers that were fine-tuned here."""
        models = self.study.trained_models.writers()
        found = [_listed(model, training_words(model.report)) for model in models]
        return Response(TrainedSerializer(found, many=True).data)

    @extend_schema(responses={202: JobSerializer, 400: ErrorSerializer, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Fine-tune a writer on the study's training split; 202 with the job."""
        wanted = WriterTraining(**self.read_body())
        try:
            job = ask_for_training(self.study, wanted, self.signed_in_user)
        except (TrainingError, ParameterError) as error:
            raise ValidationError({"detail": str(error)}) from None
        return job_response(request, job, status.HTTP_202_ACCEPTED)
