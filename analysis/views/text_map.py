"""The map of a study's texts."""

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.charts.chart import Chart
from analysis.charts.outputs import text_map
from analysis.charts.table import Row
from analysis.data import matrices
from analysis.explorer.links import explorer_link
from analysis.figures import chart_table
from analysis.filter.form import FilterForm, chips, offer
from analysis.filter.question import Question, QuestionError
from analysis.reports.page_address import OPEN, opened_sections
from analysis.text_map import service
from analysis.text_map.layout import MapAsked
from analysis.views.files import chart_context, in_plain_words, not_yet, send_chart
from analysis.views.waiting import waiting_context
from corpus.access.guard import study_view
from corpus.models import Job, Study
from corpus.pages.frame import actor

FIELDS = ("direction", "systems", "represented_by", "perplexity", "seed")
THEME = "theme"
_PAGE = {"page": {"title": "Map of texts", "kind": service.KIND}, "url_name": "study-map"}


@require_safe
@study_view(needs_texts="a map of texts")
def study_map(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the texts in a plane, the job that lays them out, or what is wrong with the filter."""
    context: dict[str, Any] = {**_PAGE, "study": study, "address": request.get_full_path()}
    error, found = "", None
    try:
        found = _answer(request, study)
    except QuestionError as refused:
        error = str(refused)
    given = {name: values for name, values in request.GET.lists() if name != OPEN}
    offered = offer(matrices.load(study), represented_by=_representations(study))
    context["form"] = form = FilterForm(FIELDS, offered, given, error)
    context |= {"chips": chips(form), "opened": opened_sections(request.GET), "on_demand": True}
    if error:
        return render(request, "analysis/refused.html", context, status=400)
    if isinstance(found, Job):
        context |= waiting_context(request, found)
        return render(request, "analysis/waiting.html", context, status=202)
    content = cast(Mapping[str, Any], found)
    context |= chart_context(_chart(study, content), partial(_file, study, request.GET))
    context["content"] = content
    return render(request, "analysis/text_map.html", context)


@require_safe
@study_view(needs_texts="a map of texts")
def map_file(request: HttpRequest, study: Study, file_format: str) -> HttpResponse:
    """Send the map as a picture, or the places of all texts as a table."""
    try:
        found = _answer(request, study)
    except QuestionError as error:
        return in_plain_words(str(error), 400)
    if isinstance(found, Job):
        return not_yet(found, "draws this map")
    chart = _chart(study, found)
    table = chart_table(chart, (f"study {study.slug}",))
    return send_chart(request, chart, table, (study.slug, service.KIND, chart.name, file_format))


def _representations(study: Study) -> tuple[tuple[str, str], ...]:
    """Offer the study's classifiers beside sentence embeddings, if there are any."""
    names = tuple((name, name) for name in service.classifiers(study))
    return (("", "sentence embeddings"), *names) if names else ()


def _answer(request: HttpRequest, study: Study) -> dict[str, Any] | Job:
    given = {name: values for name, values in request.GET.lists() if name not in (THEME, OPEN)}
    asked = MapAsked.parse(given)
    return service.text_map(study, asked, actor(request))


def _file(study: Study, query: QueryDict, file_format: str, theme: str) -> str:
    asked = query.copy()
    if theme:
        asked[THEME] = theme
    path = reverse("study-map-file", args=[study.slug, file_format])
    return f"{path}?{asked.urlencode()}" if asked else path


def _chart(study: Study, content: Mapping[str, Any]) -> Chart:
    asked = content["asked"]
    # What comes last lies on top: what people wrote over what systems made.
    order = (service.SYSTEM, service.SOURCE, service.REFERENCE, service.HUMAN)
    points = sorted(content["points"], key=lambda point: order.index(point[3]))
    segments = f"{content['segments']} of {content['all_segments']} segments"
    model = asked.get("represented_by")
    of = f"the classifier {model}" if model else "sentence embeddings"
    said = f"t-SNE of {of}, perplexity {asked['perplexity']:g}; {segments}"
    return text_map(
        [_point(*point) for point in points],
        title=f"Texts of {study}, similar ones close together",
        subtitle=said,
    )


def _point(x: float, y: float, segment: str, kind: str, system: str, style: str, text: str) -> Row:
    link = explorer_link(Question(humans="in"), segment=segment)
    return {
        **{"x": x, "y": y, "segment": segment, "kind": kind, "system": system},
        **{"style": style, "text": text, "link": link},
    }
