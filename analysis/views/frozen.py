"""Frozen reports: the list, freezing, one of them, and sharing it by a link."""

import base64
import json
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.staticfiles.finders import find
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.charts.render import to_svg
from analysis.data.narrowing import asked_data
from analysis.figures import figure_table, figures
from analysis.filter.question import QuestionError
from analysis.frozen.service import freeze_or_job, saved, share, stop_sharing
from analysis.models import FrozenReport
from analysis.reports.catalogue import report_kind
from analysis.reports.kind import opened
from analysis.reports.page_address import (
    Address,
    check_kind,
    check_question,
    opened_sections,
    read_address,
)
from analysis.tables.of_reports import flat_tables
from analysis.views.files import TABLES, as_file, in_theme, send_chart
from analysis.views.pages import FileAt, shown_charts, shown_pictures, shown_tables
from corpus.access.guard import may_change, study_view
from corpus.models import Job, Study
from corpus.pages.frame import actor, study_frame


def address_of(frozen: FrozenReport) -> Address:
    """Return the frozen question as an address."""
    query = QueryDict(mutable=True)
    for name, values in frozen.question.items():
        query.setlist(name, values)
    return read_address(query)


def frozen_context(frozen: FrozenReport, at: FileAt, *, shared: bool) -> dict[str, Any]:
    """Return the context of the page; `at` says where its files are."""
    page, address = report_kind(frozen.kind), address_of(frozen)
    report = opened(frozen.content)
    charts = shown_charts(report, address, at)
    for entry in charts:
        # A frozen page is a picture: it reads no specification that could change.
        entry["spec_url"] = ""
    return page.shown(report, address) | {
        "study": frozen.study,
        "page": page,
        "frozen": frozen,
        "shared": shared,
        "report": report.stored,
        "counts": report.stored["counts"],
        **shown_pictures(charts),
        "tables": shown_tables(report, lambda name, form, theme: at(f"table-{name}", form, theme)),
    }


def files_at(frozen: FrozenReport, *, shared: bool) -> FileAt:
    """Return what says where a frozen report's files are, for members or by its link."""

    def at(name: str, file_format: str, theme: str) -> str:
        file = f"{name}.{file_format}"
        if shared:
            path = reverse("shared-report-file", args=[frozen.token, file])
        else:
            path = reverse("study-frozen-file", args=[frozen.study.slug, frozen.pk, file])
        return in_theme(path, theme)

    return at


def self_contained(frozen: FrozenReport, request: HttpRequest) -> str:
    """Return the page as one HTML document that needs nothing else: styles and pictures inside."""
    made = figures(opened(frozen.content), address_of(frozen).choices)

    def inside(name: str, file_format: str, theme: str) -> str:
        if file_format != "svg":
            return ""
        svg = to_svg(made[name](), "dark" if theme else "light")
        return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"

    context = frozen_context(frozen, inside, shared=True)
    for entry in context["charts"]:
        entry["downloads"] = []
    sheets = (find(f"css/{name}.css") for name in ("tokens", "touchstone"))
    style = "".join(Path(str(path)).read_text(encoding="utf-8") for path in sheets)
    context |= {"frame": "analysis/frozen_file.html", "alone": True, "tables": [], "style": style}
    return render_to_string(f"analysis/{frozen.kind}.html", context, request)


LONGEST_TITLE = 200


@require_safe
@study_view
def frozen_list(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the frozen reports of a study."""
    reports = study.frozen_reports.defer("content_json", "inputs").select_related("created_by")
    context = study_frame(study, "study-frozen", "Frozen reports") | {
        "reports": reports,
        "owned": may_change(request.user, study),
    }
    return render(request, "analysis/frozen_list.html", context)


@require_POST
@study_view(owner=True)
def freeze(request: HttpRequest, study: Study, kind: str) -> HttpResponse:
    """Freeze the report that an address asks for."""
    check_kind(kind)
    try:
        address = read_address(QueryDict(request.POST.get("query", "")))
        check_question(asked_data(study, address.question), address.question)
        title = request.POST.get("title", "").strip()[:LONGEST_TITLE]
        made = freeze_or_job(study, kind, address.question, actor(request), title)
    except QuestionError as error:
        messages.error(request, str(error))
        return redirect(f"study-{kind}", study.slug)
    if isinstance(made, Job):
        return redirect("job", made.pk)
    return redirect("study-frozen-report", study.slug, made.pk)


@require_safe
@study_view
def frozen_report(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show a frozen report to the members of its study."""
    frozen = get_object_or_404(FrozenReport, pk=pk, study=study)
    context = frozen_context(frozen, files_at(frozen, shared=False), shared=False)
    context |= {
        "opened": opened_sections(request.GET),
        "owned": may_change(request.user, study),
        "files_at": reverse("study-frozen-file", args=[study.slug, pk, "report"]),
        "shared_url": _shared_url(request, frozen),
    }
    return render(request, f"analysis/{frozen.kind}.html", context)


def _shared_url(request: HttpRequest, frozen: FrozenReport) -> str:
    if frozen.token is None:
        return ""
    return request.build_absolute_uri(reverse("shared-report", args=[frozen.token]))


@require_POST
@study_view(owner=True)
def share_frozen(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Give a frozen report a link that needs no sign-in, or take it away."""
    frozen = get_object_or_404(FrozenReport, pk=pk, study=study)
    change = stop_sharing if request.POST.get("stop") else share
    change(frozen, actor(request))
    return redirect("study-frozen-report", study.slug, pk)


@require_safe
@study_view
def frozen_file(request: HttpRequest, study: Study, pk: int, file: str) -> HttpResponse:
    """Send a file of a frozen report to the members of its study."""
    return _file(request, get_object_or_404(FrozenReport, pk=pk, study=study), file)


@require_http_methods(["GET", "HEAD"])
@never_cache
def shared_report(request: HttpRequest, token: str) -> HttpResponse:
    """Show a frozen report to whoever has its link."""
    frozen = _shared(token)
    context = frozen_context(frozen, files_at(frozen, shared=True), shared=True)
    context["opened"] = opened_sections(request.GET)
    context["files_at"] = reverse("shared-report-file", args=[token, "report"])
    reply = render(request, f"analysis/{frozen.kind}.html", context)
    # Whoever follows a link out of the page does not pass its address on.
    reply["Referrer-Policy"] = "no-referrer"
    reply["X-Robots-Tag"] = "noindex"
    return reply


@require_safe
def shared_file(request: HttpRequest, token: str, file: str) -> HttpResponse:
    """Send a file of a shared report."""
    return _file(request, _shared(token), file)


def _shared(token: str) -> FrozenReport:
    """Return a shared report, unless its study is to be deleted."""
    return get_object_or_404(FrozenReport, token=token, study__deletion_asked_at=None)


def _file(request: HttpRequest, frozen: FrozenReport, file: str) -> HttpResponse:
    name, _, file_format = file.partition(".")
    slug = frozen.study.slug
    if name == "report":
        return _whole(request, frozen, file_format)
    if name.startswith("table-") and file_format in TABLES:
        tables = {table.name: table for table in flat_tables(frozen.content)}
        wanted = name.removeprefix("table-")
        if wanted in tables:
            return as_file(tables[wanted], slug, frozen.kind, wanted, file_format)
    address = address_of(frozen)
    drawn = figures(opened(frozen.content), address.choices)
    if name in drawn:
        chart, named = drawn[name](), (slug, frozen.kind, name, file_format)
        return send_chart(request, chart, figure_table(chart, frozen.content), named, address.theme)
    raise Http404(f"no file {file!r} in this report")


def _whole(request: HttpRequest, frozen: FrozenReport, file_format: str) -> HttpResponse:
    stem = f"{frozen.study.slug}-{frozen.kind}-{frozen.sha256[:12]}"
    if file_format == "html":
        reply = HttpResponse(self_contained(frozen, request))
    elif file_format == "json":
        text = json.dumps(frozen.content, ensure_ascii=False, indent=2)
        reply = HttpResponse(text, content_type="application/json")
    elif file_format == "zip":
        hashes = {"sha256": frozen.sha256, "inputs_sha256": frozen.inputs_sha256}
        packed = saved(frozen, frozen.content, bytes(frozen.inputs), **hashes)
        reply = HttpResponse(packed, content_type="application/zip")
    else:
        raise Http404(f"no report as {file_format!r}; there are html, json and zip")
    reply["Content-Disposition"] = f'attachment; filename="{stem}.{file_format}"'
    return reply
