"""The charts of reports through the API: their names, and each as a Vega-Lite specification."""

from typing import Any
from urllib.parse import urlencode

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from analysis.api.tables import TABLE
from analysis.api.views import FILTER, KIND, WaitingSerializer, waiting
from analysis.charts.theme import themed
from analysis.figures import figures
from analysis.reports.kind import Report
from analysis.reports.page_address import Address, check_kind, read_address
from analysis.reports.snapshot import Snapshot
from analysis.tables.of_reports import table_titles
from analysis.views.pages import report_of
from corpus.access.guard import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.studies import FORBIDDEN, SLUG
from corpus.models import Job

NAME = OpenApiParameter(
    "name", OpenApiTypes.STR, OpenApiParameter.PATH, description="Name of the chart."
)
THEME = OpenApiParameter(
    "theme", OpenApiTypes.STR, enum=("light", "dark"), default="light", description="Colours."
)
OTHERWISE: dict[Any, Any] = {
    202: WaitingSerializer,
    400: ErrorSerializer,
    **FORBIDDEN,
    409: ErrorSerializer,
}


class NamedPartSerializer(serializers.Serializer[Any]):
    """A table or chart of a report."""

    name = serializers.CharField()
    url = serializers.URLField()


class PartsSerializer(serializers.Serializer[Any]):
    """What a report can be taken apart into."""

    tables = NamedPartSerializer(many=True)
    charts = NamedPartSerializer(many=True)


class PartsView(APIView):
    """The tables and charts of a report."""

    @extend_schema(
        operation_id="study_report_parts",
        tags=["reports"],
        parameters=[SLUG, KIND, *FILTER],
        responses={200: PartsSerializer, **OTHERWISE},
    )
    def get(self, request: Request, slug: str, kind: str) -> Response:
        """List the tables and charts of a report, or the job that computes it."""
        found = _found(request, slug, kind)
        if isinstance(found, Response):
            return found
        report, address = found
        here = [slug, kind]
        asked = dict(address.question.to_query())
        query = f"?{urlencode(asked, doseq=True)}" if asked else ""
        table = reverse("api-report", args=here, request=request)
        return Response(
            {
                "tables": [
                    {
                        "name": name,
                        "url": f"{table}?{urlencode(asked | {TABLE: name}, doseq=True)}",
                    }
                    for name in table_titles(report)
                ],
                "charts": [
                    {
                        "name": name,
                        "url": reverse("api-chart", args=[*here, name], request=request) + query,
                    }
                    for name in figures(report, address.choices)
                ],
            }
        )


class ChartView(APIView):
    """One chart of a report."""

    @extend_schema(
        operation_id="study_report_chart",
        tags=["reports"],
        parameters=[SLUG, KIND, NAME, *FILTER, THEME],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "A Vega-Lite specification with its data."),
            **OTHERWISE,
        },
    )
    def get(self, request: Request, slug: str, kind: str, name: str) -> Response:
        """Return a chart as a Vega-Lite specification, or the job that computes its report."""
        found = _found(request, slug, kind)
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


def _found(request: Request, slug: str, kind: str) -> tuple[Report[Any], Address] | Response:
    """Return the report that is asked for, or say which job computes it."""
    study = study_for(request.user, slug)
    check_kind(kind)
    address = read_address(request.query_params)
    found = report_of(Snapshot.of(study, kind, address.question), request._request)
    return waiting(request, [found]) if isinstance(found, Job) else (found, address)
