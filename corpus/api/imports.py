"""Imports of a study: sending files, and what became of them."""

from typing import Any, cast

from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.bodies import StorableMultiPartParser
from corpus.api.errors import ErrorSerializer
from corpus.api.job_lists import StudyJobsView
from corpus.api.jobs import JobSerializer, job_response
from corpus.api.studies import REFUSED
from corpus.imports.options import ImportOptions, OptionsError
from corpus.imports.service import ask_for_import
from corpus.imports.uploads import discard_upload, keep_upload, upload_path
from corpus.jobs.queue import JobActive
from corpus.tabular.json_levels import bounded_json

OPTIONS = "options"


class UploadSerializer(serializers.Serializer[Any]):
    """Files of a study, and how to read them."""

    files = serializers.ListField(
        child=serializers.FileField(),
        help_text="Any number of tables, texts and study.json; or one archive.",
    )
    options = serializers.CharField(
        required=False,
        help_text="A JSON object: layout, format, select, mappings, sample, sample_seed, "
        "min_length_percentile, max_length_percentile, max_changed_words, max_changed_share, "
        "changed_in, collapse_whitespace, attach_punctuation, truncate_words, system_roles, "
        "system_pattern, source_style, target_style, source_file, encoding, without_texts, "
        "skip_unknown_scores.",
    )


class ImportsView(StudyJobsView):
    """List the imports of a study, latest first."""

    tag = "imports"
    operation_ids = {"GET": "study_imports", "POST": "import_study"}
    kind = "import"
    body_serializer_class = UploadSerializer
    parser_classes = (StorableMultiPartParser,)
    takes_files = True

    @extend_schema(responses={202: JobSerializer, **REFUSED, 413: ErrorSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Import files; the answer is the job that reads them.

        Everything is imported or nothing; what was wrong stands in the job's `result.problems`.
        The same files again add nothing. 409 while another import of the study waits or runs.
        """
        options = _options(request)
        sent = [file for name, files in request.FILES.lists() if name != OPTIONS for file in files]
        path = upload_path(keep_upload(cast("list[UploadedFile[Any]]", sent)))
        try:
            job = ask_for_import(self.study, path, options, self.signed_in_user)
        except JobActive:
            discard_upload(path)
            raise
        return job_response(request, job, status.HTTP_202_ACCEPTED)


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
    return ImportOptions.from_dict(plain)
