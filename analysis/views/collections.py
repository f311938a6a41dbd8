"""Pages of collections: the list, one of them, its files."""

from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.forms import formset_factory
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.collections.adding import (
    Added,
    import_scores,
    run_metric,
    studies_of,
    studies_to_change,
)
from analysis.collections.changing import (
    MOST_TASKS,
    CollectionError,
    change_collection,
    collection_for,
    create_collection,
    delete_collection,
    may_change,
)
from analysis.collections.forms import (
    NewCollectionForm,
    RunMetricForm,
    ScoresForm,
    SettingsForm,
    TaskForm,
    initial_of,
)
from analysis.collections.page import shown_board, shown_comparison
from analysis.collections.presets import PRESETS
from analysis.collections.reading import tasks_of
from analysis.collections.service import comparison_or_job
from analysis.collections.tables import OF_BOARD, TITLES, chart_table, figures_of, tables_of
from analysis.filter.question import QuestionError
from analysis.models import Collection
from analysis.reports.page_address import VERSION
from analysis.tables.files import zip_of_tables
from analysis.views.files import (
    TABLE_FORMATS,
    TABLES,
    as_file,
    chart_context,
    in_plain_words,
    named,
    not_yet,
    send_chart,
)
from analysis.views.waiting import waiting_context
from corpus.imports.uploads import NotAnUpload
from corpus.models import Job, Study
from corpus.pages.frame import actor, page_with_form
from corpus.pages.imports import takes_files

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
    user = actor(request)
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
        return as_file(
            named(tables, "table", name), collection.slug, "collection", name, file_format
        )

    return _made(request, collection, make)


@require_safe
@collection_view()
def chart_file(
    request: HttpRequest, collection: Collection, name: str, file_format: str
) -> HttpResponse:
    """Send a chart as SVG, PDF or Vega-Lite specification, or its numbers as a table."""

    def make(stored: Stored) -> HttpResponse:
        chart = named(figures_of(stored), "chart", name)()
        file = collection.slug, "collection", name, file_format
        return send_chart(request, chart, chart_table(chart, stored), file)

    return _made(request, collection, make)


def _made(
    request: HttpRequest, collection: Collection, make: Callable[[Stored], HttpResponse]
) -> HttpResponse:
    """Answer from the comparison; in plain words where it is refused or not computed yet."""
    if not collection.tasks.exists():
        raise Http404("this collection has no tasks")
    try:
        user, by = actor(request), request.GET.get("by", "")
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
    def at(name: str, file_format: str, theme: str) -> str:
        path = reverse("collection-chart", args=[collection.slug, name, file_format])
        version = str(stored["signature"])[:12] if file_format == "svg" else ""
        asked = {"by": stored["by"], "theme": theme, VERSION: version}
        query = urlencode({key: value for key, value in asked.items() if value})
        return f"{path}?{query}" if query else path

    return [
        chart_context(draw(), partial(at, name)) | {"name": name}
        for name, draw in figures_of(stored).items()
    ]


def _tables(collection: Collection, stored: Stored) -> list[dict[str, Any]]:
    query = f"?{urlencode({'by': stored['by']})}" if stored["by"] else ""

    def at(name: str, file_format: str) -> str:
        return reverse("collection-table", args=[collection.slug, name, file_format]) + query

    return [
        {"title": title, "downloads": [(label, at(name, form)) for label, form in TABLE_FORMATS]}
        for name, title in (OF_BOARD if stored["by"] else TITLES).items()
    ]


EMPTY_ROWS = 2
_FORMS = ["GET", "HEAD", "POST"]


@require_http_methods(_FORMS)
@login_required
def new_collection(request: HttpRequest) -> HttpResponse:
    """Make a collection of studies by a preset."""
    user, posted = actor(request), request.method == "POST"
    form = NewCollectionForm(user, request.POST if posted else None)
    if posted and form.is_valid():
        values = form.cleaned_data
        preset = values["preset"]
        try:
            made = create_collection(
                values["slug"],
                values["title"],
                form.tasks,
                user,
                preset=preset,
                **PRESETS[preset].settings,
            )
        except CollectionError as error:
            form.add_error("slug", f"{error}.")
        else:
            return redirect("collection", made.slug)
    context = {"form": form, "presets": PRESETS.values()}
    return page_with_form(request, "analysis/collections/new.html", context)


@require_http_methods(_FORMS)
@collection_view(change=True)
def edit_collection(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Change settings and tasks of a collection."""
    user, posted = actor(request), request.method == "POST"
    form = SettingsForm(request.POST if posted else None, instance=collection)
    made = formset_factory(TaskForm, extra=EMPTY_ROWS, max_num=MOST_TASKS + EMPTY_ROWS)
    tasks = made(
        request.POST if posted else None,
        initial=[initial_of(task) for task in tasks_of(collection)],
        form_kwargs={"user": user},
    )
    if posted and (form.is_valid() & tasks.is_valid()):
        wanted = [each.task for each in tasks if each.task is not None]
        try:
            change_collection(collection, user, wanted, **form.cleaned_data)
        except CollectionError as error:
            form.add_error(None, f"{error}.")
        else:
            return redirect("collection", collection.slug)
    context = {"collection": collection, "heading": "Tasks and weights"}
    context |= {"form": form, "tasks": tasks}
    status = 400 if posted else 200
    return render(request, "analysis/collections/edit.html", context, status=status)


@require_POST
@collection_view(change=True)
def remove_collection(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Delete a collection; its studies stay."""
    delete_collection(collection, actor(request))
    messages.success(request, f"{collection} was deleted. Its studies are as they were.")
    return redirect("collections")


@takes_files
@require_POST
@collection_view()
def add_scores(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Take files of a metric's scores, one for each study, and import them."""
    studies = studies_to_change(collection, request.user)
    if not studies:
        raise PermissionDenied("only an owner of a study may add scores to it")
    form = ScoresForm(studies, request.POST, request.FILES)
    if form.is_valid():
        try:
            return _reported(request, collection, import_scores(form.files_of, actor(request)))
        except NotAnUpload as error:
            form.add_error(None, f"{error}.")
    messages.error(request, " ".join(str(each) for each in form.non_field_errors()))
    return redirect("collection", collection.slug)


@require_POST
@collection_view()
def add_run(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Compute a metric in every study of the collection."""
    if not studies_to_change(collection, request.user):
        raise PermissionDenied("only an owner of a study may score it")
    form = RunMetricForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a metric of the list.")
        return redirect("collection", collection.slug)
    metric = form.cleaned_data["metric"]
    return _reported(request, collection, run_metric(collection, metric, actor(request)))


def _reported(request: HttpRequest, collection: Collection, added: list[Added]) -> HttpResponse:
    """Say what became of a metric in each study; lead to a job if there is one."""
    jobs: list[Any] = []
    for each in added:
        jobs += each.jobs
        if each.refused:
            messages.error(request, f"{each.study}: {each.refused}.")
        elif not each.jobs:
            messages.success(request, f"{each.study}: scored before, nothing to do.")
    if len(jobs) == 1:
        return redirect("job", jobs[0].pk)
    if jobs:
        messages.success(
            request,
            f"{len(jobs)} jobs are under way, one for each study. The comparison is computed anew "
            "when they are done.",
        )
        return redirect("job-list")
    return redirect("collection", collection.slug)
