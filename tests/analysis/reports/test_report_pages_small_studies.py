"""Report pages of studies that lack something, are tiny or large, or have hostile names."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.data import matrices
from tests.fixtures.report_pages import numbers, open_page, reader, tables, words
from tests.fixtures.study_files import write_files

pytestmark = pytest.mark.django_db
RATERS = ("ann", "bob")
READING_MOST = ("agreement", "scores")
"""Kinds that together read ratings and scores: a page loads the same for all of them."""
Rows = list[list[Any]]


@pytest.fixture
def import_study(tmp_path: Path):
    """Import tables by the command and return somebody who reads the study."""

    def run(**files: Any):
        matrices.forget()
        folder = write_files(
            tmp_path / "small",
            {name if "." in name else f"{name}.csv": content for name, content in files.items()},
        )
        call_command("import_study", folder, verbosity=0)
        return reader("ada", "small")

    yield run
    matrices.forget()


def segments(count: int) -> Rows:
    head = ["segment_id", "source", "source_style", "target_style"]
    return [head, *([f"s{n}", f"source {n}", "informal", "formal"] for n in range(count))]


def outputs(systems: list[str], count: int) -> Rows:
    rows = [[f"s{n}", system, f"text {n}"] for n in range(count) for system in systems]
    return [["segment_id", "system", "output"], *rows]


def ratings(systems: list[str], count: int, score: Any = None) -> Rows:
    """Ratings that differ by system, segment and rater, or one score throughout."""
    rows = [
        [f"s{n}", system, rater, "style", score if score else (place * 7 + n * 3 + shift) % 101]
        for n in range(count)
        for place, system in enumerate(systems)
        for shift, rater in enumerate(RATERS)
    ]
    return [["segment_id", "system", "rater", "aspect", "score"], *rows]


def scores(systems: list[str], count: int, metrics: tuple[str, ...] = ("sti",)) -> Rows:
    rows = [
        [f"s{n}", system, metric, (place * 5 + n * 2) % 17 / 17]
        for n in range(count)
        for place, system in enumerate(systems)
        for metric in metrics
    ]
    return [["segment_id", "system", "metric", "score"], *rows]


def of(client, kind: str):
    return open_page(client, f"/studies/small/{kind}/")


@pytest.mark.parametrize("count", [1, 2])
def test_too_few_systems_leave_system_level_undefined_with_the_reason(import_study, count):
    names = ["A", "B"][:count]
    client = import_study(
        segments=segments(6),
        outputs=outputs(names, 6),
        ratings=ratings(names, 6),
        metric_scores=scores(names, 6),
    )
    page = of(client, "correlation")
    number = tables(page)["Metrics and human scores of style"].number("System r", "sti")
    assert number.shown == "undefined"
    assert "system" in number.why
    plural = "" if count == 1 else "s"
    assert f"With {count} system{plural} nothing can be said at system level" in words(page)
    assert f"The curves need three systems or more; here are {count}" in words(page)
    assert number.facts["signature"].startswith("pearson")
    segment = tables(page)["Metrics and human scores of style"].number("Segment r", "sti")
    assert float(segment.shown.replace("−", "-")) <= 1


def test_constant_ratings_are_undefined_and_never_zero(import_study):
    names = ["A", "B", "C", "D"]
    client = import_study(
        segments=segments(5),
        outputs=outputs(names, 5),
        ratings=ratings(names, 5, score=50),
        metric_scores=scores(names, 5),
    )
    for number in numbers(of(client, "correlation")):
        assert number.shown == "undefined"
        assert number.why
    ranking = of(client, "ranking")
    table = tables(ranking)["Ranking by style"]
    assert {cells[2].numbers[0].shown for _, cells in table.rows} == {"50.00"}
    assert table.number("Mean z", "A").shown == "undefined"
    assert table.cell("Rank by z", "A").text == "–"
    assert "gave one score throughout" in words(ranking)


HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7|add:7 }}", "=1+1"]


def test_names_from_files_are_text_everywhere(import_study):
    client = import_study(
        segments=segments(5),
        outputs=outputs(HOSTILE, 5),
        ratings=ratings(HOSTILE, 5),
        metric_scores=scores(HOSTILE, 5, ("<b>m</b>", "{% now %}")),
    )
    ranking = of(client, "ranking")
    shown = {cells[0].text for _, cells in tables(ranking)["Ranking by style"].rows}
    assert shown == set(HOSTILE)
    correlation = of(client, "correlation")
    table = tables(correlation)["Metrics and human scores of style"]
    assert {cells[0].text for _, cells in table.rows} == {"<b>m</b> raw", "{% now %} raw"}
    for page in (ranking, correlation):
        assert not list(page.iter("b"))
        assert all(script.get("src") for script in page.iter("script"))
        assert all(not image.get("onerror") for image in page.iter("img"))
        for image in page.iter("img"):
            assert client.get(image.get("src")).status_code == 200
    # For spreadsheets a formula is made harmless; programs get names as they are.
    table = "/studies/small/ranking/tables/ranking"
    assert ",'=1+1," in client.get(f"{table}.csv").text
    assert {row["system"] for row in client.get(f"{table}.json").json()["rows"]} == set(HOSTILE)


def test_queries_do_not_grow_with_systems_and_metrics(import_study):
    def files(count: int, metrics: tuple[str, ...]) -> dict[str, Any]:
        names = [f"S{n}" for n in range(count)]
        return {
            "segments": segments(4),
            "outputs": outputs(names, 4),
            "ratings": ratings(names, 4),
            "metric_scores": scores(names, 4, metrics),
        }

    def queries(client: Client) -> dict[str, int]:
        found = {}
        for kind in READING_MOST:
            of(client, kind)
            with CaptureQueriesContext(connection) as captured:
                of(client, kind)
            found[kind] = len(captured)
        return found

    few = queries(import_study(**files(3, ("sti",))))
    assert max(few.values()) <= 12
    assert queries(import_study(**files(8, ("sti", "accuracy", "wmd")))) == few
