"""Report pages of studies that lack something, are tiny or large, or have hostile names."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.data import matrices
from analysis.reports.catalogue import KINDS
from corpus.models import Membership
from tests.fixtures.report_pages import numbers, open_page, reader, tables, words
from tests.fixtures.study_files import write_files

pytestmark = pytest.mark.django_db
RATERS = ("ann", "bob")
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


CURVES = "&open=numbers-top-last-1"
"""Opens the table of the curves, which is fetched on demand when it is long."""


def of(client, kind: str):
    return open_page(client, f"/studies/small/{kind}/")


def test_without_ratings_every_page_says_what_is_missing(import_study):
    names = ["A", "B", "C"]
    client = import_study(
        segments=segments(4), outputs=outputs(names, 4), metric_scores=scores(names, 4)
    )
    for kind in ("agreement", "correlation", "ranking"):
        page = of(client, kind)
        assert "Nobody has rated this study yet" in words(page)
        assert "An owner of the study can import ratings" in words(page)
        assert numbers(page) == []
        assert not list(page.iter("figure"))
    assert "This study carries no published values." in words(of(client, "replication"))


def test_an_owner_finds_the_way_to_the_import(import_study):
    client = import_study(segments=segments(2), outputs=outputs(["A"], 2))
    Membership.objects.update(role="owner")
    for kind in KINDS:
        page = of(client, kind)
        assert any(
            link.get("href") == "/studies/small/import/" and words(link).startswith("Import ")
            for link in page.iter("a")
        )


def test_without_scores_agreement_and_ranking_work(import_study):
    names = ["A", "B", "C"]
    client = import_study(
        segments=segments(5), outputs=outputs(names, 5), ratings=ratings(names, 5)
    )
    assert "No metric has scored this study yet." in words(of(client, "correlation"))
    assert len(tables(of(client, "ranking"))["Ranking by style"].rows) == 3
    assert tables(of(client, "agreement"))["Agreement"].cell("Units", "all").text == "15"
    assert len(list(of(client, "ranking").iter("figure"))) == 3


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


def test_two_hundred_systems_stay_readable(import_study):
    names = [f"system-{n:03}" for n in range(200)]
    client = import_study(
        segments=segments(4),
        outputs=outputs(names, 4),
        ratings=ratings(names, 4),
        metric_scores=scores(names, 4, ("sti", "accuracy")),
    )
    correlation = of(client, "correlation")
    text = words(correlation)
    assert "over 200 systems and 4 segments" in text
    assert "The curves are drawn for up to 30 systems; here are 200." in text
    assert len(tables(correlation)["Metrics and human scores of style"].rows) == 2
    ranking = of(client, "ranking")
    assert len(tables(ranking)["Ranking by style"].rows) == 200
    # The tall picture is folded away, not left out.
    folded = [
        words(details[0])
        for details in ranking.iter("details")
        if details.find("figure") is not None
    ]
    assert folded == [
        "Human scores of systems, raw: a tall picture",
        "Human scores of systems, z: a tall picture",
        "Human scores of outputs, style: a tall picture",
    ]
    few = open_page(client, f"/studies/small/correlation/?systems=system-00*{CURVES}")
    assert any("top N and last N" in name for name in tables(few))


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


def test_metrics_of_unknown_side_are_marked_where_they_stand_beside_oriented_ones(import_study):
    names = ["A", "B", "C", "D"]
    client = import_study(
        segments=segments(6),
        outputs=outputs(names, 6),
        ratings=ratings(names, 6),
        metric_scores=scores(names, 6, ("sti", "own-metric")),
    )
    page = of(client, "correlation")
    table = tables(page)["Metrics and human scores of style"]
    assert any(
        "own-metric (not declared whether higher or lower is better)" in words(each)
        for each in page.iter("p")
    )
    assert "their signature differs from that of the others in the column" in words(page)
    raw, oriented = (
        table.number("Segment r", name).facts["signature"] for name in ("own-metric raw", "sti")
    )
    assert raw != oriented


def test_thirty_metrics_of_one_aspect_leave_a_readable_number_of_curves(import_study):
    names = [f"S{n}" for n in range(6)]
    metrics = tuple(f"metric-{n:02}" for n in range(30))
    client = import_study(
        segments=segments(5),
        outputs=outputs(names, 5),
        ratings=ratings(names, 5),
        metric_scores=scores(names, 5, metrics),
    )
    page = open_page(client, f"/studies/small/correlation/?aspect=style{CURVES}")
    curves = next(table for name, table in tables(page).items() if "top N and last N" in name)
    assert len({cells[2].text for _, cells in curves.rows}) == 8
    assert "The curves hold at most 8 metrics" in words(page)
    chosen = open_page(
        client,
        f"/studies/small/correlation/?aspect=style&metric=metric-29&metric=metric-28{CURVES}",
    )
    curves = next(table for name, table in tables(chosen).items() if "top N and last N" in name)
    assert {cells[2].text for _, cells in curves.rows} == {"metric-28", "metric-29"}


@pytest.mark.parametrize("kind", KINDS)
def test_queries_do_not_grow_with_systems_and_metrics(
    import_study, kind, django_assert_num_queries, tmp_path
):
    def files(count: int, metrics: tuple[str, ...]) -> dict[str, Any]:
        names = [f"S{n}" for n in range(count)]
        return {
            "segments": segments(4),
            "outputs": outputs(names, 4),
            "ratings": ratings(names, 4),
            "metric_scores": scores(names, 4, metrics),
        }

    client = import_study(**files(3, ("sti",)))
    of(client, kind)
    with CaptureQueriesContext(connection) as captured:
        of(client, kind)
    few = len(captured)
    assert few <= 12
    client = import_study(**files(20, ("sti", "accuracy", "wmd", "comet")))
    of(client, kind)
    with django_assert_num_queries(few):
        of(client, kind)
