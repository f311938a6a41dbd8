"""Pages of collections: the list, one of them, its files."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.charts.chart import table_rows
from analysis.collections.adding import studies_of, studies_to_change
from analysis.collections.changing import collection_for, may_change
from analysis.collections.forms import RunMetricForm, ScoresForm
from analysis.collections.page import shown_board, shown_comparison
from analysis.collections.service import comparison_or_job
from analysis.collections.tables import OF_BOARD, TITLES, chart_table, figures_of, tables_of
from analysis.filter.question import QuestionError
from analysis.models import Collection
from analysis.reports.page_address import VERSION
from analysis.tables.files import zip_of_tables
from analysis.views.files import TABLES, as_file, in_plain_words, not_yet, send_chart
from analysis.views.pages import CHART_FORMATS, TABLE_FORMATS
from analysis.views.waiting import waiting_context
from corpus.models import Job, Study

Stored = Mapping[str, Any]
View = Callable[..., HttpResponse]


def collection_view(*, change: bool = False) -> Callable[[View], View]:
    """Turn a view of (request, collection) into one of (request, slug), guarded by access."""

    def decorate(inner: View) -> View:
        @login_required
        @wraps(inner)
        def guarded(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            found = collection_for(request.user, slug, change=change)
            return inner(request, found, *args, **kwargs)

        return guarded

    return decorate


@require_safe
@login_required
def collection_list(request: HttpRequest) -> HttpResponse:
    """List the collections that a person may open."""
    found = Collection.objects.visible_to(request.user).prefetch_related("tasks__study")
    listed = [
        {"collection": each, "studies": sorted({str(task.study) for task in each.tasks.all()})}
        for each in found
    ]
    has_studies = Study.objects.visible_to(request.user).exists()
    context = {"collections": listed, "has_studies": has_studies}
    return render(request, "analysis/collections/list.html", context)


@require_safe
@collection_view()
def collection_page(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Show the comparison of a collection, the job that computes it, or what is wrong."""
    owned = may_change(request.user, collection)
    context: dict[str, Any] = {
        "collection": collection,
        "owned": owned,
        "studies": studies_of(collection),
        "address": request.get_full_path(),
    }
    if not context["studies"]:
        return render(request, "analysis/collections/empty.html", context)
    user = cast(User, request.user)
    by = request.GET.get("by", "")
    try:
        found = comparison_or_job(collection, user)
        board = comparison_or_job(collection, user, by) if by else None
    except QuestionError as refused:
        context["error"] = str(refused)
        return render(request, "analysis/collections/refused.html", context, status=400)
    for each in (found, board):
        if isinstance(each, Job):
            context |= waiting_context(request, each)
            return render(request, "analysis/collections/waiting.html", context, status=202)
    stored = cast(Stored, found)
    context |= shown_comparison(stored, request.GET.get("against", ""))
    context |= _around(collection, stored, request)
    if board is not None:
        by_metric = cast(Stored, board)
        context["board"] = shown_board(by_metric)
        context["board_charts"] = _charts(collection, by_metric)
        context["board_tables"] = _tables(collection, by_metric)
    if to_change := studies_to_change(collection, request.user):
        context |= {"scores_form": ScoresForm(to_change), "run_form": RunMetricForm()}
    return render(request, "analysis/collections/page.html", context)


@require_safe
@collection_view()
def table_file(
    request: HttpRequest, collection: Collection, name: str, file_format: str
) -> HttpResponse:
    """Send a table of a collection as CSV, JSON or LaTeX; `all` is a zip of all as CSV."""
    if file_format not in TABLES and (name, file_format) != ("all", "zip"):
        raise Http404(f"no table as {file_format!r}; there are: {', '.join(TABLES)}")

    def make(stored: Stored) -> HttpResponse:
        tables = {table.name: table for table in tables_of(stored)}
        if name == "all":
            packed = zip_of_tables(list(tables.values()))
            response = HttpResponse(packed, content_type="application/zip")
            response["Content-Disposition"] = f'attachment; filename="{collection.slug}.zip"'
            return response
        if name not in tables:
            raise Http404(f"no table {name!r}; there are: {', '.join(tables)}")
        return as_file(tables[name], collection.slug, "collection", name, file_format)

    return _made(request, collection, make)


@require_safe
@collection_view()
def chart_file(
    request: HttpRequest, collection: Collection, name: str, file_format: str
) -> HttpResponse:
    """Send a chart as SVG, PDF or Vega-Lite specification, or its numbers as a table."""

    def make(stored: Stored) -> HttpResponse:
        known = figures_of(stored)
        if name not in known:
            raise Http404(f"no chart {name!r}; there are: {', '.join(known)}")
        chart, named = known[name](), (collection.slug, "collection", name, file_format)
        return send_chart(request, chart, chart_table(chart, stored), named)

    return _made(request, collection, make)


def _made(
    request: HttpRequest, collection: Collection, make: Callable[[Stored], HttpResponse]
) -> HttpResponse:
    """Answer from the comparison; in plain words where it is refused or not computed yet."""
    if not collection.tasks.exists():
        raise Http404("this collection has no tasks")
    try:
        user, by = cast(User, request.user), request.GET.get("by", "")
        found = comparison_or_job(collection, user, by)
    except QuestionError as error:
        return in_plain_words(str(error), 400)
    return not_yet(found, "computes this comparison") if isinstance(found, Job) else make(found)


def _around(collection: Collection, stored: Stored, request: HttpRequest) -> dict[str, Any]:
    return {
        "stored": stored,
        "charts": {each["name"]: each for each in _charts(collection, stored)},
        "tables": _tables(collection, stored),
        "zip_at": reverse("collection-table", args=[collection.slug, "all", "zip"]),
        "command": f"manage.py collection report {collection.slug}",
    }


def _charts(collection: Collection, stored: Stored) -> list[dict[str, Any]]:
    def at(name: str, file_format: str, **more: str) -> str:
        path = reverse("collection-chart", args=[collection.slug, name, file_format])
        query = urlencode({**({"by": stored["by"]} if stored["by"] else {}), **more})
        return f"{path}?{query}" if query else path

    version = {VERSION: str(stored["signature"])[:12]}
    shown = []
    for name, draw in figures_of(stored).items():
        chart = draw()
        shown.append(
            {
                "name": name,
                "chart": chart,
                "table": table_rows(chart),
                "svg_url": at(name, "svg", **version),
                "svg_dark_url": at(name, "svg", theme="dark", **version),
                "spec_url": at(name, "vl.json"),
                "downloads": [(label, at(name, form)) for label, form in CHART_FORMATS],
            }
        )
    return shown


def _tables(collection: Collection, stored: Stored) -> list[dict[str, Any]]:
    query = f"?{urlencode({'by': stored['by']})}" if stored["by"] else ""

    def at(name: str, file_format: str) -> str:
        return reverse("collection-table", args=[collection.slug, name, file_format]) + query

    return [
        {"title": title, "downloads": [(label, at(name, form)) for label, form in TABLE_FORMATS]}
        for name, title in (OF_BOARD if stored["by"] else TITLES).items()
    ]
