"""The address is the filter: what it asks for is shown, kept, and refused in plain words."""

from urllib.parse import parse_qs, urlsplit

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


def test_an_aspect_leaves_the_others_out(client):
    page = correlation(client, "aspect=style")
    assert chosen(page, "aspect") == ["style"]
    assert not any("human scores of content" in name for name in tables(page))


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


def test_metrics_and_systems_are_chosen_one_by_one_or_by_a_pattern(client):
    page = correlation(client, "metric=bleu&metric=chr*&systems=careful&systems=*e*")
    names = {
        cells[0].text.split()[0]
        for name, table in tables(page).items()
        if name.startswith("Metrics ")
        for _, cells in table.rows
    }
    assert names == {"bleu", "chrf"}
    assert chosen(page, "metric") == ["chr*", "bleu"]


def test_leaving_a_system_out_shows_in_words_and_in_n(client):
    everything = correlation(client, "aspect=style")
    fewer = correlation(client, "aspect=style&leave_out=careful")
    assert "Only without careful." in words(fewer)
    before, after = (
        int(tables(page)[STYLE].number("System r", "formal-share").facts["n"].split()[0])
        for page in (everything, fewer)
    )
    assert after == before - 1


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


def test_variants_stand_in_words_and_change_the_signature(client):
    plain = correlation(client, "aspect=style")
    page = correlation(client, "aspect=style&scores=z&ddof=1&min_gap=25&metric_ties=half")
    assert "Computed with z-scores (ddof 1) · gap of people at least 25 · metric ties: half." in (
        words(page)
    )
    signatures = [
        tables(one)[STYLE].number("τ-like", "formal-share").facts["signature"]
        for one in (plain, page)
    ]
    assert "human:raw" in signatures[0]
    assert "human:z" in signatures[1]
    assert "min-gap:25" in signatures[1]


def test_a_direction_keeps_only_its_segments(client):
    page = correlation(client, "aspect=style&direction=formal-to-informal")
    assert "over 5 systems and 24 segments" in words(page)


def test_raw_scores_are_marked_in_every_row(client):
    table = tables(correlation(client, "aspect=style&orientation=raw"))[STYLE]
    assert [cells[0].text for _, cells in table.rows] == ["formal-share raw"]


def test_the_chart_of_agreement_shows_the_chosen_statistic(client):
    page = open_page(client, f"{STUDY}/agreement/?bars=alpha-interval")
    captions = [words(caption) for caption in page.iter("figcaption")]
    assert captions
    assert all(caption.startswith("Krippendorff’s α, interval") for caption in captions)


def test_the_scatter_plot_shows_the_chosen_metric(client):
    label = "chrf/reference · content"
    page = open_page(client, f"{STUDY}/correlation/?scatter={label}")
    assert chosen(page, "scatter") == [label]
    assert f"Systems: people and {label}: table" in tables(page)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("metrik=bleu", "metrik: no such filter"),
        ("aspect=taste", "aspect=taste: this study has"),
        ("level=word", "level=word: expected one of segment, system"),
        ("metric=b*x", "metric=b*x: this study has"),
        ("where=length", "where=length: expected attribute:value"),
        ("systems=nobody", "systems=nobody: this study has"),
        ("compared_to=moon", "compared_to=moon: this study has"),
        ("batch=weather", "batch=weather: this study has"),
        ("curve=r", "curve=r: expected one of"),
        ("state=maybe", "state=maybe: expected one of"),
        ("min_gap=<b>", "min_gap=<b>: expected a number"),
    ],
)
def test_what_cannot_be_answered_is_said_beside_the_filter_which_is_kept(
    client, kind, query, message
):
    if (kind, query) == ("replication", "systems=nobody"):
        message = "the replication report does not use it"
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


def test_an_unknown_scatter_plot_is_refused(client):
    page = open_page(client, f"{STUDY}/correlation/?scatter=bleu", status=400)
    assert "scatter=bleu: expected one of" in words(page)


def test_every_link_of_a_report_keeps_the_filter(client):
    page = correlation(client, "aspect=style&statistic=spearman&leave_out=careful")
    files = [
        urlsplit(link.get("href"))
        for link in page.iter("a")
        if "/tables/" in link.get("href", "") or "/charts/" in link.get("href", "")
    ]
    assert len(files) > 20
    for file in files:
        query = parse_qs(file.query)
        assert query["aspect"] == ["style"]
        assert query["statistic"] == ["spearman"]
        assert query["leave_out"] == ["careful"]


def test_the_page_says_how_to_get_its_numbers_again(client):
    text = words(correlation(client, "aspect=style&leave_out=careful"))
    assert (
        "manage.py report formality-demo --kind correlation --format json "
        "--aspect style --leave-out careful"
    ) in text
    assert "/api/v1/studies/formality-demo/reports/correlation/?aspect=style" in text


@pytest.mark.parametrize("kind", KINDS)
def test_simulated_ratings_are_marked_on_every_page(client, kind):
    page = open_page(client, f"{STUDY}/{kind}/")
    (badge,) = [e for e in page.iter("span") if e.get("class") == "badge simulated"]
    assert words(badge) == "simulated ratings"
    assert "No human rated these outputs" in words(page)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_that_is_shown_is_marked_among_the_tabs(client, kind):
    page = open_page(client, f"{STUDY}/{kind}/")
    (tab,) = [
        a
        for a in page.iter("a")
        if a.get("href") == f"{STUDY}/{kind}/" and a.get("aria-current") == "page"
    ]
    assert words(tab) == LISTED[KINDS.index(kind)].title
