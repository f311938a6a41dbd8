"""What the page of a frozen report shows: the report as its own page shows it, without links."""

import base64
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import find
from django.http import HttpRequest, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse

from analysis.charts.render import to_svg
from analysis.figures import figures
from analysis.models import FrozenReport
from analysis.reports.catalogue import report_kind
from analysis.reports.kind import opened
from analysis.reports.page_address import Address, read_address
from analysis.views.pages import FileAt, shown_charts, shown_pictures, shown_tables


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
    return {
        "study": frozen.study,
        "page": page,
        "frozen": frozen,
        "shared": shared,
        "report": report.stored,
        "counts": report.stored["counts"],
        **shown_pictures(charts),
        "tables": shown_tables(report, lambda name, form, theme: at(f"table-{name}", form, theme)),
        **page.shown(report, address),
    }


def files_at(frozen: FrozenReport, *, shared: bool) -> FileAt:
    """Return what says where a frozen report's files are, for members or by its link."""

    def at(name: str, file_format: str, theme: str) -> str:
        file = f"{name}.{file_format}"
        if shared:
            path = reverse("shared-report-file", args=[frozen.token, file])
        else:
            path = reverse("study-frozen-file", args=[frozen.study.slug, frozen.pk, file])
        return f"{path}?theme={theme}" if theme else path

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
