"""Imports and exports of a study: sending files, asking for a zip, and what became of them."""

from collections.abc import Sequence
from typing import Any, cast

from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.bodies import StorableMultiPartParser
from corpus.api.errors import Conflict, ErrorSerializer
from corpus.api.jobs import NUMBER, JobSerializer, StudyJobsView, job_response
from corpus.api.rendering import AnyAccept
from corpus.api.studies import REFUSED, SLUG, OfStudy
from corpus.exports.named import writable_formats
from corpus.exports.run import ask_for_export, export_path
from corpus.imports.judging import open_questions
from corpus.imports.options import ImportOptions, OptionsError
from corpus.imports.service import ask_for_import
from corpus.imports.uploads import discard_upload, keep_upload, upload_path
from corpus.jobs.queue import JobActive
from corpus.models import Job
from corpus.studies.overview import running_import
from corpus.tabular.plain import bounded_json
from corpus.tabular.questions.question import Question

OPTIONS = "options"
_NAMES = [name for name in ImportOptions.__dataclass_fields__ if name != "mappings"]
EXPORT = OpenApiParameter(
    "id", NUMBER, OpenApiParameter.PATH, description="Number of the export's job"
)


class UploadSerializer(serializers.Serializer[Any]):
    """Files of a study, and how to read them."""

    files = serializers.ListField(
        child=serializers.FileField(),
        required=False,
        help_text="Any number of tables, texts and study.json; or one archive.",
    )
    upload = serializers.CharField(
        required=False,
        help_text="In place of files: the name of those sent before, as an answer with open "
        "questions gave it.",
    )
    options = serializers.CharField(
        required=False,
        help_text=f"A JSON object: {', '.join(_NAMES)}. `answers` is an object of question to "
        "answer; `accept`, true to answer all other questions as proposed; `query`, a .sql file.",
    )


class QuestionSerializer(serializers.Serializer[Any]):
    """Something odd in the files, and what can be done about it."""

    name = serializers.CharField(help_text="The key in `answers`.")
    table = serializers.CharField()
    text = serializers.CharField()
    detail = serializers.ListField(child=serializers.CharField())
    answers = serializers.ListField(
        child=serializers.DictField(child=serializers.CharField()),
        help_text="Each has a value and a label.",
    )
    preset = serializers.CharField(help_text="The proposed answer.")
    subjects = serializers.ListField(child=serializers.CharField())


class OpenQuestionsSerializer(ErrorSerializer):
    """Why an import was not started: it has to be answered first, or another one is running."""

    questions = QuestionSerializer(many=True, required=False)
    upload = serializers.CharField(
        required=False, help_text="Send this and `options` in place of the files."
    )


class ImportsView(StudyJobsView):
    """List the imports of a study, latest first."""

    tag = "imports"
    operation_ids = {"GET": "study_imports", "POST": "import_study"}
    kind = "import"
    body_serializer_class = UploadSerializer
    parser_classes = (StorableMultiPartParser,)
    takes_files = True

    @extend_schema(
        responses={
            202: JobSerializer,
            **REFUSED,
            409: OpenQuestionsSerializer,
            413: ErrorSerializer,
        }
    )
    def post(self, request: Request, slug: str) -> Response:
        """Import files; the answer is the job that reads them.

        Everything is imported or nothing; what was wrong is in the job's `result.problems`.
        The same files again add nothing. 409 while another import of the study waits or runs, and
        with `questions` where something in the files is odd: send `upload` with `answers` or
        `accept` in `options`.
        """
        options = _options(request)
        sent = [file for name, files in request.FILES.lists() if name != OPTIONS for file in files]
        upload = request.POST.get("upload", "")
        if upload and sent:
            raise OptionsError("upload: files came with it; send one of the two")
        upload = upload or keep_upload(cast("list[UploadedFile[Any]]", sent))
        path = upload_path(upload)
        if running_import(self.study) is None and (
            questions := open_questions(self.study, path, options)
        ):
            return _asked(questions, upload)
        try:
            job = ask_for_import(self.study, path, options, self.signed_in_user)
        except JobActive:
            if sent:
                discard_upload(path)
            raise
        return job_response(request, job, status.HTTP_202_ACCEPTED)


def _asked(questions: Sequence[Question], upload: str) -> Response:
    """Answer that nothing is imported before some questions are answered."""
    content = {
        "detail": "Nothing was imported yet. Answer the questions in options.answers, or send "
        '"accept": true to take the proposed answers.',
        "problems": [],
        "questions": [question.to_dict() for question in questions],
        "upload": upload,
    }
    return Response(content, status.HTTP_409_CONFLICT)


def _options(request: Request) -> ImportOptions:
    """Read the options, which may be a field of the form or a file in it."""
    file = request.FILES.get(OPTIONS)
    text = file.read() if file else request.POST.get(OPTIONS) or "{}"
    try:
        plain = bounded_json(text)
    except ValueError as error:
        raise OptionsError(f"options: this is no JSON: {error}") from None
    if not isinstance(plain, dict):
        raise OptionsError("options: expected a JSON object")
    if "mappings" in plain:
        raise OptionsError("unknown option 'mappings': send a .sql file as query")
    return ImportOptions.from_dict(plain)


class ExportSerializer(serializers.Serializer[Any]):
    """What kind of zip is wanted."""

    for_spreadsheets = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Safe to open in a spreadsheet; such a zip cannot be imported.",
    )
    format = serializers.CharField(
        required=False,
        max_length=100,
        help_text="A named format instead of the study bundle, such as mt-metrics-eval-v2.",
    )
    select = serializers.CharField(
        required=False,
        max_length=100,
        help_text="What the study is called in a format that holds several: a language pair, "
        "such as en-de or wmt23/en-de.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a choice without a format that it is one of."""
        if attrs.get("select") and not attrs.get("format"):
            raise serializers.ValidationError({"select": "Name the format, too."})
        return attrs

    def validate_format(self, name: str) -> str:
        """Refuse a format in which no study can be written."""
        known = writable_formats()
        if name not in known:
            raise serializers.ValidationError(f"{name!r} is none of: {', '.join(known)}")
        return name


class ExportsView(StudyJobsView):
    """List the exports of a study, latest first."""

    tag = "exports"
    operation_ids = {"GET": "study_exports", "POST": "export_study"}
    kind = "export"
    body_serializer_class = ExportSerializer

    @extend_schema(responses={202: JobSerializer, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Export a study; the answer is the job, whose `download` is set once it is done."""
        job = ask_for_export(self.study, self.signed_in_user, **self.read_body())
        return job_response(request, job, status.HTTP_202_ACCEPTED)


class DownloadView(OfStudy):
    """The zip of an export."""

    tag = "exports"
    operation_ids = {"GET": "download_export"}
    parameters = (SLUG, EXPORT)
    owner_methods = ("GET", "HEAD")
    content_negotiation_class = AnyAccept

    @extend_schema(
        responses={
            (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, "The study bundle."),
            **REFUSED,
        }
    )
    def get(self, request: Request, slug: str, pk: int) -> FileResponse:
        """Return the zip; 409 if the export has not ended well (yet)."""
        job = Job.objects.filter(study=self.study, kind="export", pk=pk).first()
        if job is None:
            raise NotFound(f"no export {pk} of this study")
        if job.state != Job.State.DONE:
            raise Conflict(f"This export is {job.get_state_display()}: there is no zip.")
        try:
            file = export_path(job).open("rb")
        except FileNotFoundError:
            raise NotFound("This zip no longer exists; export the study again.") from None
        name = job.result.get("file_name", f"{slug}.zip")
        return FileResponse(file, as_attachment=True, filename=name)
