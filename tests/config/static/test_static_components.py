"""The components say what they are given: numbers, reasons, places, progress."""

from types import SimpleNamespace

import pytest
from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import path

from analysis.charts.chart import table_rows
from analysis.charts.heat_map import heat_map
from analysis.study_sections import SECTIONS, SETTINGS
from corpus.tabular.problems import Problem


def nowhere(request: HttpRequest, **arguments: object) -> None:
    """Stand in for a page; only its address is asked for."""


STUDY_PAGES = {page.name for section in (*SECTIONS, SETTINGS) for page in section.pages} - {"study"}
urlpatterns = [
    *(
        path(name, nowhere, name=name)
        for name in ("home", "collections", "account_login", "account_logout", "privacy", "help")
    ),
    *(path(name, nowhere, name=name) for name in ("api-docs", "api-root")),
    path("jobs/<number:pk>/", nowhere, name="job"),
    path("studies/<slug:slug>/", nowhere, name="study"),
    *(
        path(f"studies/<slug:slug>/{name.removeprefix('study-')}/", nowhere, name=name)
        for name in STUDY_PAGES
    ),
]

pytestmark = pytest.mark.urls(__name__)


def render(template: str, query: str = "/", **context: object) -> str:
    """Render a component as a page would, white space collapsed."""
    request = RequestFactory().get(query)
    request.user = SimpleNamespace(is_authenticated=False)
    return " ".join(render_to_string(template, context, request=request).split())


def test_a_number_shows_its_rounded_value_interval_count_and_signature() -> None:
    number = {
        "value": 0.854699,
        "low": 0.81,
        "high": 0.89,
        "n": 640,
        "unit": "outputs",
        "signature": "pearson|level:segment|seed:7",
        "details": [("raw r", "−0.71")],
    }
    text = render("components/number.html", number=number)
    assert ">0.855<" in text
    assert "[0.810, 0.890]" in text
    assert "640 outputs" in text
    assert "<dt>raw r</dt><dd>−0.71</dd>" in text
    assert "<code>pearson|level:segment|seed:7</code>" in text
    assert ">0.85<" in render("components/number.html", number=number, decimals=2)


def test_an_undefined_number_says_why_and_shows_no_digits() -> None:
    number = {"value": None, "reason": "no unit was rated twice", "signature": "alpha"}
    text = render("components/number.html", number=number)
    assert "Undefined, because no unit was rated twice." in text
    assert not any(character.isdigit() for character in text)


def test_a_value_of_zero_is_a_number_like_any_other() -> None:
    text = render("components/number.html", number={"value": 0.0, "signature": "r"})
    assert ">0.000<" in text
    assert "undefined" not in text.lower()


def test_a_chart_comes_with_its_picture_its_description_and_its_table() -> None:
    chart = heat_map(
        [
            {"metric": "bleu", "aspect": "style", "value": 0.25, "n": 8},
            {"metric": "chrf", "aspect": "style", "value": None, "n": 0, "reason": "tied"},
        ],
        title="Correlation <with> people",
        statistic="Pearson r",
    )
    text = render(
        "components/chart.html",
        chart=chart,
        table=table_rows(chart),
        svg_url="/chart.svg",
        spec_url="/chart.json",
        downloads=[("CSV", "/chart.csv")],
    )
    assert 'srcset="/chart.svg?theme=dark"' in text
    assert 'src="/chart.svg" alt="Correlation &lt;with&gt; people. Pearson r of 2 metrics' in text
    assert 'data-spec-url="/chart.json"' in text
    assert '<a href="/chart.csv" download>Download CSV</a>' in text
    assert '<th scope="row">bleu</th>' in text
    assert '<td class="number">0.250</td>' in text
    assert '<td class="number undefined">–</td>' in text
    assert "<td>tied</td>" in text


def test_a_chart_without_a_specification_offers_no_exploring() -> None:
    chart = heat_map([], title="Nothing", statistic="r")
    text = render("components/chart.html", chart=chart, table=[], svg_url="/chart.svg")
    assert "data-explore" not in text
    assert "chart-menu" not in text
    assert "There is no correlation to show." in text


def test_problems_name_file_line_column_found_and_expected() -> None:
    problems = [
        Problem("r.csv", 12, "score", "1,5", "a number", "Use a decimal point."),
        Problem("<old>.csv", expected="UTF-8"),
    ]
    text = render("components/problems.html", problems=problems, total=250)
    assert "250 problems, of which the first 2 are listed." in text
    assert '<td class="number" data-label="Line">12</td>' in text
    assert "<code>1,5</code>" in text
    assert "Use a decimal point." in text
    assert "&lt;old&gt;.csv" in text
    assert render("components/problems.html", problems=[]).strip() == ""


def job(**changes: object) -> SimpleNamespace:
    """A job as the page sees it."""
    fields = {
        "pk": 3,
        "kind": "import",
        "state": "running",
        "is_active": True,
        "cancel_requested": False,
        "progress": {"message": "Reading ratings.csv", "done": 42000, "total": 100000},
        "error": "",
    } | changes
    return SimpleNamespace(get_state_display=lambda: fields["state"], **fields)


def test_a_running_job_shows_how_far_it_is_and_asks_again() -> None:
    text = render("components/progress.html", job=job(), cancel_url="/jobs/3/cancel/")
    assert '<progress max="100000" value="42000"' in text
    assert "Reading ratings.csv: 42,000 of 100,000" in text
    assert 'hx-get="/jobs/3/" hx-trigger="every 1s"' in text
    assert 'action="/jobs/3/cancel/"' in text


def test_a_finished_job_stops_asking_and_links_its_result() -> None:
    done = job(state="done", is_active=False)
    text = render("components/progress.html", job=done, cancel_url="/c/", result_url="/studies/a/")
    assert "hx-get" not in text
    assert "Cancel" not in text
    assert 'href="/studies/a/"' in text


def test_a_failed_job_shows_its_error_as_text() -> None:
    failed = job(state="failed", is_active=False, error="line 12: <b>")
    assert "line 12: &lt;b&gt;" in render("components/progress.html", job=failed)


def test_pages_keep_the_rest_of_the_address() -> None:
    page = Paginator(range(500), 25).page(3)
    text = render("components/pagination.html", "/?q=bleu&page=3", page_obj=page, noun="segments")
    assert 'href="?q=bleu&amp;page=4"' in text
    assert "Page 3 of 20 <small>(500 segments)</small>" in text
    only = Paginator(range(5), 25).page(1)
    assert render("components/pagination.html", page_obj=only).strip() == ""


class ImportForm(forms.Form):
    """One field of each sort."""

    slug = forms.SlugField(help_text="Letters and digits.")
    layout = forms.ChoiceField(choices=[("t", "Tables")], widget=forms.RadioSelect)
    cut = forms.BooleanField(label="Cut long texts")


@pytest.mark.parametrize("name", ["slug", "layout", "cut"])
def test_a_field_with_an_error_is_tied_to_its_label_and_error(name: str) -> None:
    text = render("components/field.html", field=ImportForm({})[name])
    assert "This field is required." in text
    assert f'id="id_{name}_error"' in text
    assert f"id_{name}_error" in text.split("aria-describedby=", 1)[1].split('"')[1]


def test_a_group_of_choices_is_a_fieldset_with_a_legend() -> None:
    text = render("components/field.html", field=ImportForm()["layout"])
    assert "<fieldset> <legend>Layout</legend>" in text


def test_the_sections_and_the_list_of_reports_mark_the_page_that_is_shown() -> None:
    study = SimpleNamespace(slug="lai2022")
    text = render("components/study_nav.html", study=study, active="study-ranking")
    assert '<a href="/studies/lai2022/reports/" aria-current="true">Reports</a>' in text
    text = render("components/study_nav.html", study=study, active="study-systems")
    assert '<a href="/studies/lai2022/segments/" aria-current="true">Texts</a>' in text
    assert '<a href="/studies/lai2022/systems/" aria-current="page">Systems</a>' in text
    text = render("components/report_list.html", study=study, active="study-ranking")
    assert '<a href="/studies/lai2022/ranking/" aria-current="page">Ranking</a>' in text


def test_the_base_page_forbids_evaluation_and_begins_with_a_way_to_the_content() -> None:
    text = render("base.html", version="0.1.0")
    body = text.split("<body", 1)[1]
    assert body.index('class="skip" href="#content"') < body.index("<header")
    assert '{"allowEval": false, "includeIndicatorStyles": false, ' in text
    assert "htmx-2" in text
    assert "Touchstone 0.1.0" in text
    assert '<main id="content"' in body
