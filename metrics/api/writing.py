"""Writers, and systems that they write."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.errors import ErrorSerializer
from corpus.api.jobs import JobSerializer
from corpus.api.studies import REFUSED, OfStudy
from metrics.api.runs import LibrarySerializer, ParameterSerializer
from metrics.scorers.scorer import Unavailable
from metrics.writers.registry import UnknownWriter, writers
from metrics.writers.writer import Estimate, WriterError, WriterSpec
from metrics.writing.asking import ask_for_writing, outlook, sentences, written_systems
from metrics.writing.requests import (
    LEARN_FROM,
    LONGEST_NAME,
    SEGMENTS,
    PlannedWriting,
    Planner,
    WritingRequest,
)


class WriterSerializer(serializers.Serializer[WriterSpec]):
    """A writer."""

    key = serializers.CharField(help_text="Names it in requests.")
    title = serializers.CharField()
    group = serializers.CharField()
    summary = serializers.CharField()
    method = serializers.CharField()
    citation = serializers.CharField()
    distrust = serializers.CharField(help_text="What to keep in mind.")
    needs = serializers.ListField(child=serializers.CharField(), help_text="What it learns from.")
    parameters = ParameterSerializer(many=True)
    libraries = LibrarySerializer(many=True)
    revision = serializers.IntegerField()

    def to_representation(self, instance: WriterSpec) -> dict[str, Any]:
        """Return the facts of a writer, what it needs in the order of the alphabet."""
        return super().to_representation(instance) | {"needs": sorted(instance.needs)}


class WritersView(ListAPIView[Any]):
    """List every writer with its parameters."""

    tag = "texts"
    operation_ids = {"GET": "writers"}
    serializer_class = WriterSerializer

    def get_queryset(self) -> Any:
        """Return what the writers declare."""
        return [writer.spec for writer in writers().values()]


class WritingRequestSerializer(serializers.Serializer[Any]):
    """Outputs that are wanted of a writer."""

    writer = serializers.CharField(max_length=100, help_text="Key of a writer, see `writers/`.")
    parameters = serializers.DictField(
        required=False,
        help_text="Those that differ from the defaults; text, number or boolean, by their names.",
    )
    name = serializers.CharField(
        required=False, max_length=LONGEST_NAME, allow_blank=True, help_text="Of the system."
    )
    split = serializers.ChoiceField(
        choices=[each for each in SEGMENTS if each],
        required=False,
        help_text="Segments to write; the test segments, or all if the study has no splits.",
    )
    source_style = serializers.CharField(required=False, max_length=100, allow_blank=True)
    target_style = serializers.CharField(required=False, max_length=100, allow_blank=True)
    limit = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="Only so many segments, the first of each direction in turn; 0: all.",
    )
    learn_from = serializers.ChoiceField(choices=LEARN_FROM, required=False)
    lexicon = serializers.CharField(required=False, max_length=200, allow_blank=True)
    only_estimate = serializers.BooleanField(
        required=False, help_text="Say what it would take, and start nothing."
    )


class EstimateSerializer(serializers.Serializer[Any]):
    """What writing would take."""

    system = serializers.CharField()
    signature = serializers.CharField()
    segments = serializers.IntegerField()
    left = serializers.IntegerField(help_text="Of these still to be written.")
    questions = serializers.IntegerField(allow_null=True, help_text="To a language model.")
    tokens_read = serializers.IntegerField(allow_null=True, help_text="About.")
    tokens_written = serializers.IntegerField(allow_null=True, help_text="At most.")
    seconds = serializers.FloatField(allow_null=True, help_text="As long as the last run took.")
    notes = serializers.ListField(child=serializers.CharField(), help_text="In sentences.")


class MissingSerializer(serializers.Serializer[Any]):
    """Why outputs are missing."""

    reason = serializers.CharField()
    outputs = serializers.IntegerField()
    first_segment = serializers.CharField()


class WrittenSystemSerializer(serializers.Serializer[Any]):
    """A system that was written here."""

    system = serializers.CharField(source="system.name")
    writer = serializers.CharField(source="attributes.writer")
    outputs = serializers.IntegerField()
    signature = serializers.CharField()
    missing = MissingSerializer(many=True)


class WritingsView(OfStudy):
    """Systems of a study that were written here."""

    tag = "texts"
    operation_ids = {"GET": "study_writings", "POST": "write_outputs"}
    serializer_class = WrittenSystemSerializer
    body_serializer_class = WritingRequestSerializer

    @extend_schema(responses={200: WrittenSystemSerializer(many=True)})
    def get(self, request: Request, slug: str) -> Response:
        """List the systems that were written here, and why outputs are missing."""
        return Response(WrittenSystemSerializer(written_systems(self.study), many=True).data)

    @extend_schema(
        responses={
            200: OpenApiResponse(EstimateSerializer, "With `only_estimate`."),
            202: JobSerializer,
            400: ErrorSerializer,
            **REFUSED,
        }
    )
    def post(self, request: Request, slug: str) -> Response:
        """Let a writer write outputs; 202 with the job, or what it would take."""
        given = self.read_body()
        only_estimate = given.pop("only_estimate", False)
        try:
            planned = Planner(self.study).plan(WritingRequest(**given))
            if only_estimate:
                return Response(self._estimate(planned))
            job = ask_for_writing(self.study, planned, self.signed_in_user)
        except (WriterError, UnknownWriter, Unavailable) as error:
            raise ValidationError({"writer": [str(error)]}) from None
        content = JobSerializer(job, context=self.get_serializer_context()).data
        return Response(content, status.HTTP_202_ACCEPTED)

    def _estimate(self, planned: PlannedWriting) -> dict[str, Any]:
        found = outlook(self.study, planned)
        estimate = found.estimate
        content = {
            **(estimate._asdict() if estimate else dict.fromkeys(Estimate._fields)),
            "system": planned.request.name,
            "signature": planned.signature,
            "segments": found.segments,
            "left": found.left,
            "notes": list(sentences(planned, found)),
        }
        return EstimateSerializer(content).data
