"""Reports, their tables and their charts for programs, under the same filter as the pages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from analysis.charts.theme import themed
from analysis.data.narrowing import asked_data
from analysis.figures import figures
from analysis.filter.field import FilterField
from analysis.filter.fields_of_kinds import kinds_with
from analysis.filter.question import DEFAULTS, FILTER_FIELDS, Question
from analysis.reports.catalogue import KINDS
from analysis.reports.kind import Report
from analysis.reports.page_address import Address, check_kind, check_question, read_address
from analysis.reports.service import document, parts_of_document, report_or_job
from analysis.reports.snapshot import Snapshot
from analysis.tables.files import UnknownTable, table_named, zip_of_tables
from analysis.tables.flat_table import FlatTable, csv_text, json_text
from analysis.tables.marks import BELOW
from analysis.tables.of_reports import flat_tables, table_titles
from analysis.views.files import report_of
from corpus.api.errors import ErrorSerializer
from corpus.api.jobs import JobSerializer
from corpus.api.studies import FORBIDDEN, SLUG, OfStudy
from corpus.models import Job, Study

FORMAT, TABLE, MARKS, CSV = "format", "table", "marks", "csv"
OF_TABLES = (FORMAT, TABLE, MARKS)
PARAMETERS = [
    OpenApiParameter(
        FORMAT,
        OpenApiTypes.STR,
        description="`csv` for the tables of the report: the one that `table` names, or a zip of "
        "all of them.",
        enum=("json", CSV),
        default="json",
    ),
    OpenApiParameter(
        TABLE,
        OpenApiTypes.STR,
        description="Name of one table of the report, instead of the whole; an unknown one is "
        "answered by the names that there are.",
    ),
    OpenApiParameter(
        MARKS,
        OpenApiTypes.STR,
        description="How numbers of small p-value are marked in tables, in columns of their own: "
        "`underlined` where p < .01, `stars` for p < .05, p < .01 and p < .001.",
        enum=tuple(BELOW),
    ),
]
REPORT_OR_TABLES: dict[Any, Any] = {
    (200, "application/json"): OpenApiResponse(
        OpenApiTypes.OBJECT, "The report, with signature and versions; or one of its tables."
    ),
    (200, "text/csv"): OpenApiResponse(OpenApiTypes.BINARY, "One table."),
    (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, "Every table as CSV."),
}


class JsonUnlessAskedOtherwise(DefaultContentNegotiation):
    """Answers errors and jobs as JSON where tables were asked for as CSV."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        """Return the first renderer, which is that of JSON, for CSV; else as usual."""
        if request.query_params.get(FORMAT) == CSV:
            return renderers[0], renderers[0].media_type
        return super().select_renderer(request, renderers, format_suffix)


def answered(
    request: Request,
    content: Mapping[str, Any],
    *stem: str,
    tables_of: Callable[[Mapping[str, Any]], Sequence[FlatTable]] | None = None,
) -> HttpResponseBase:
    """Answer with a report or the document of all, or with the tables that were asked for.

    `stem` begins the names of files; `tables_of` makes the tables of what is no report.

    Raises
    ------
    ValidationError
        If a table is named that the report does not have, or marks that there are not.
    """
    name = request.query_params.get(TABLE, "")
    as_csv = request.query_params.get(FORMAT) == CSV
    if not name and not as_csv:
        return Response(content)
    marks = request.query_params.get(MARKS, "")
    if marks and marks not in BELOW:
        raise ValidationError({"detail": f"marks={marks}: expected one of {', '.join(BELOW)}"})
    tables = tables_of(content) if tables_of else flat_tables(content, marks)
    if not name:
        return _file(zip_of_tables(tables), "application/zip", f"{'-'.join(stem)}.zip")
    try:
        table = table_named(tables, name)
    except UnknownTable as error:
        raise ValidationError({"detail": str(error)}) from None
    if not as_csv:
        return HttpResponse(json_text(table), content_type="application/json; charset=utf-8")
    parts = "-".join(dict.fromkeys((*stem, name)))
    return _file(csv_text(table), "text/csv; charset=utf-8", f"{parts}.csv")


def _file(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _parameter(name: str, declared: FilterField) -> OpenApiParameter:
    default = DEFAULTS[name]
    kinds: dict[type, Any] = {float: OpenApiTypes.NUMBER, int: OpenApiTypes.INT}
    return OpenApiParameter(
        name,
        OpenApiTypes.NUMBER if default is None else kinds.get(type(default), OpenApiTypes.STR),
        description=f"{declared.help} Used by: {', '.join(kinds_with(name))}.",
        enum=[type(default)(value) for value in declared.words] or None,
        many=isinstance(default, tuple),
        default=None if default in ("", ()) else default,
    )


FILTER = [_parameter(name, declared) for name, declared in FILTER_FIELDS.items()]
KIND = OpenApiParameter("kind", OpenApiTypes.STR, OpenApiParameter.PATH, enum=KINDS)
NAME = OpenApiParameter(
    "name", OpenApiTypes.STR, OpenApiParameter.PATH, description="Name of the chart."
)
THEME = OpenApiParameter(
    "theme", OpenApiTypes.STR, enum=("light", "dark"), default="light", description="Colours."
)


class WaitingSerializer(serializers.Serializer[Any]):
    """The jobs that compute what was asked for; ask again when they are done."""

    jobs = JobSerializer(many=True)


class NamedPartSerializer(serializers.Serializer[Any]):
    """A table or chart of a report."""

    name = serializers.CharField()
    url = serializers.URLField()


class PartsSerializer(serializers.Serializer[Any]):
    """What a report allows to say, and what it can be taken apart into."""

    verdict = serializers.ListField(child=serializers.CharField())
    tables = NamedPartSerializer(many=True)
    charts = NamedPartSerializer(many=True)


OTHERWISE: dict[Any, Any] = {
    202: WaitingSerializer,
    400: ErrorSerializer,
    **FORBIDDEN,
    409: ErrorSerializer,
}
RESPONSES = REPORT_OR_TABLES | OTHERWISE


class OfReports(OfStudy):
    """A view of reports under the filter; each answers the job while a report is computed."""

    tag = "reports"
    parameters = (SLUG, KIND, *FILTER)

    def found(self, kind: str) -> tuple[Report[Any], Address] | Response:
        """Return the report that is asked for, or say which job computes it."""
        check_kind(kind)
        address = read_address(self.request.query_params)
        found = report_of(Snapshot.of(self.study, kind, address.question), self.request._request)
        return waiting(self.request, [found]) if isinstance(found, Job) else (found, address)


class ReportView(OfReports):
    """One report of a study."""

    operation_ids = {"GET": "study_report"}
    parameters = (*OfReports.parameters, *PARAMETERS)
    content_negotiation_class = JsonUnlessAskedOtherwise

    @extend_schema(responses=RESPONSES)
    def get(self, request: Request, slug: str, kind: str) -> HttpResponseBase:
        """Return a report, or the job that computes it.

        The parameters are those of the report pages; without any, the report is that of the whole
        study. Each number carries its interval, n, p-value and signature; one that cannot be
        computed is of kind `undefined` and says why. With `format=csv` its tables come instead:
        the one that `table` names, or a zip of all of them.
        """
        check_kind(kind)
        question = read_question(request, self.study)
        found = report_or_job(self.study, kind, question, self.signed_in_user)
        if isinstance(found, Job):
            return waiting(request, [found])
        return answered(request, found, slug, kind)


class DocumentView(OfReports):
    """All reports of a study in one document."""

    operation_ids = {"GET": "study_reports"}
    parameters = (SLUG, *FILTER, *PARAMETERS)
    content_negotiation_class = JsonUnlessAskedOtherwise

    @extend_schema(responses=RESPONSES)
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Return all results in one document: every report, correlations for each subgroup too."""
        question = read_question(request, self.study)
        parts = parts_of_document(self.study, question)
        user = self.signed_in_user
        found = [report_or_job(self.study, kind, asked, user) for kind, _, asked in parts]
        if jobs := [one for one in found if isinstance(one, Job)]:
            return waiting(request, jobs)
        return answered(request, document(self.study, question), slug)


class PartsView(OfReports):
    """The tables and charts of a report."""

    operation_ids = {"GET": "study_report_parts"}

    @extend_schema(responses={200: PartsSerializer, **OTHERWISE})
    def get(self, request: Request, slug: str, kind: str) -> Response:
        """Return verdict, tables and charts of a report, or the job that computes it."""
        found = self.found(kind)
        if isinstance(found, Response):
            return found
        report, address = found

        def part(name: str, view: str, *place: str, **more: str) -> dict[str, str]:
            asked = urlencode(dict(address.question.to_query()) | more, doseq=True)
            url = reverse(view, args=[slug, kind, *place], request=request)
            return {"name": name, "url": f"{url}?{asked}" if asked else url}

        return Response(
            {
                "verdict": report.stored.get("verdict", []),
                "tables": [
                    part(name, "api-report", **{TABLE: name}) for name in table_titles(report)
                ],
                "charts": [
                    part(name, "api-chart", name) for name in figures(report, address.choices)
                ],
            }
        )


class ChartView(OfReports):
    """One chart of a report."""

    operation_ids = {"GET": "study_report_chart"}
    parameters = (SLUG, KIND, NAME, *FILTER, THEME)

    @extend_schema(
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "A Vega-Lite specification with its data."),
            **OTHERWISE,
        }
    )
    def get(self, request: Request, slug: str, kind: str, name: str) -> Response:
        """Return a chart as a Vega-Lite specification, or the job that computes its report."""
        found = self.found(kind)
        if isinstance(found, Response):
            return found
        report, address = found
        known = figures(report, address.choices)
        if name not in known:
            raise NotFound(f"no chart {name!r}; there are: {', '.join(known) or 'none'}")
        spec = themed(known[name]().spec, address.theme)
        # On pages nothing is drawn behind a chart; the schema of Vega-Lite has a colour for that.
        spec["config"]["background"] = "transparent"
        return Response(spec)


def read_question(request: Request, study: Study) -> Question:
    """Return the filter in a query string.

    Raises
    ------
    QuestionError
        If it names something that does not exist.
    """
    given = {name: v for name, v in request.query_params.lists() if name not in OF_TABLES}
    question = Question.parse(given)
    check_question(asked_data(study, question), question)
    return question


def waiting(request: Request, jobs: list[Job]) -> Response:
    """Say which jobs compute what was asked for; 409 with the first that has failed."""
    listed = JobSerializer(jobs, many=True, context={"request": request}).data
    for job in listed:
        if job["state"] == Job.State.FAILED:
            detail = f"This report could not be computed: {job['error']} Try the job again."
            content = {"detail": detail, "problems": [], "job": job["url"]}
            return Response(
                content, status.HTTP_409_CONFLICT, headers={"Location": str(job["url"])}
            )
    return Response(
        {"jobs": listed}, status.HTTP_202_ACCEPTED, headers={"Location": str(listed[0]["url"])}
    )
