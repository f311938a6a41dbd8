"""The tables of reports through the API: one as CSV or JSON, or all of them as a zip."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.tables.files import UnknownTable, table_named, zip_of_tables
from analysis.tables.flat_table import FlatTable, csv_text, json_text
from analysis.tables.marks import BELOW
from analysis.tables.of_reports import flat_tables

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
REPORT_OR_TABLES = {
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
