"""The address is the filter: what it asks for is shown, kept, and refused in plain words."""

import pytest

from analysis.filter.fields_of_kinds import fields_of, kinds_with
from analysis.reports.catalogue import KINDS, LISTED
from tests.fixtures.report_pages import numbers, open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"
STYLE = "Metrics and human scores of style"


@pytest.fixture
def client():
    return reader("ada", "formality-demo")


def correlation(client, query: str):
    return open_page(client, f"{STUDY}/correlation/?{query}")


def chosen(page, name: str) -> list[str]:
    """What the form shows as chosen for a field."""
    found = []
    for field in page.iter():
        if field.get("name") != name:
            continue
        if field.tag == "select":
            found += [o.get("value") for o in field.iter("option") if "selected" in o.attrib]
        elif "checked" in field.attrib or field.get("type") in ("text", "hidden"):
            found.append(field.get("value", ""))
    return found


def test_without_a_filter_the_form_shows_the_defaults_and_every_aspect(client):
    page = correlation(client, "")
    assert chosen(page, "aspect") in ([], [""])
    assert [words(h) for h in page.iter("h2")][:3] == ["Style", "Content", "Fluency"]
    assert tables(page)[STYLE].headings == ["Metric", "System r", "Segment r", "τ-like"]


def test_another_statistic_is_a_column_in_whose_order_the_metrics_stand(client):
    page = correlation(client, "aspect=content&statistic=spearman&level=system")
    (ordered,) = [th for th in page.iter("th") if th.get("aria-sort") == "descending"][:1]
    assert words(ordered) == "Spearman ρ, system level"
    table = tables(page)["Metrics and human scores of content"]
    column = table.headings.index("Spearman ρ, system level")
    values = [float(cells[column].numbers[0].facts["unrounded"]) for _, cells in table.rows]
    assert values == sorted(values, reverse=True)
    signatures = {cells[column].numbers[0].facts["signature"] for _, cells in table.rows}
    assert all(signature.startswith("spearman|") for signature in signatures)


def test_human_written_systems_are_named_and_included_on_demand(client):
    page = correlation(client, "aspect=style")
    (link,) = [a for a in page.iter("a") if words(a) == "Include human-written systems"]
    included = open_page(client, f"{STUDY}/correlation/{link.get('href')}")
    assert chosen(included, "humans") == ["in"]
    assert "Left out because people wrote it" not in words(included)
    values = [
        tables(one)[STYLE].number("System r", "formal-share").facts["n"] for one in (page, included)
    ]
    assert values == ["5 systems", "6 systems"]


@pytest.mark.parametrize(
    ("kind", "query", "message"),
    [
        ("ranking", "aspect=taste", "aspect=taste: this study has"),
        ("replication", "aspect=taste", "aspect=taste: the replication report does not use it"),
        ("replication", "systems=nobody", "the replication report does not use it"),
        ("correlation", "metrik=bleu", "metrik: no such filter"),
        ("correlation", "metric=b*x", "metric=b*x: this study has"),
        ("correlation", "where=length", "where=length: expected attribute:value"),
        ("correlation", "compared_to=moon", "compared_to=moon: this study has"),
        ("agreement", "batch=weather", "batch=weather: this study has"),
        ("correlation", "curve=r", "curve=r: expected one of"),
        ("replication", "state=maybe", "state=maybe: expected one of"),
        ("correlation", "min_gap=<b>", "min_gap=<b>: expected a number"),
    ],
)
def test_what_cannot_be_answered_is_said_beside_the_filter_which_is_kept(
    client, kind, query, message
):
    page = open_page(client, f"{STUDY}/{kind}/?{query}&direction=informal-to-formal", status=400)
    (alert,) = [found for found in page.iter("div") if found.get("role") == "alert"]
    assert message in words(alert)
    assert numbers(page) == []
    name, _, value = query.partition("=")
    kept = {"direction": ["informal-to-formal"], name: [value]}
    for each, values in kept.items():
        # What another report would use is not sent again to this one.
        is_another = kinds_with(each) and each not in fields_of(kind)
        assert chosen(page, each) == ([] if is_another else values)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[] if kind == "ranking" else pytest.mark.nightly) for kind in KINDS],
)
def test_every_page_marks_simulated_ratings_and_its_tab_and_asks_its_question(client, kind):
    page = open_page(client, f"{STUDY}/{kind}/")
    (badge,) = [e for e in page.iter("span") if e.get("class") == "badge simulated"]
    assert words(badge) == "simulated ratings"
    assert "No human rated these outputs" in words(page)
    tabs = {
        words(a)
        for a in page.iter("a")
        if a.get("href") == f"{STUDY}/{kind}/" and a.get("aria-current") == "page"
    }
    described = LISTED[KINDS.index(kind)]
    assert tabs == {described.title, described.tab} - {""}
    assert [words(heading) for heading in page.iter("h1")] == [described.asks]
