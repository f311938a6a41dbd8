"""Marks of a picture name their metric or system, as the rows of the page's tables do."""

from xml.etree import ElementTree

from analysis.charts.chart import Chart, table_rows
from analysis.charts.curves import top_last_curves
from analysis.charts.dots import system_means
from analysis.charts.heat_map import heat_map, metric_matrix
from analysis.charts.render import to_svg
from analysis.templatetags.chart_cells import naming

HOSTILE = 'A&B <script>alert(1)</script> "x" \\ \n {datum}'
LINK = "{http://www.w3.org/1999/xlink}href"


def things(chart: Chart) -> set[str]:
    """Return what the marks of a drawn chart name."""
    root = ElementTree.fromstring(to_svg(chart))
    return {mark.get("data-of", "") for mark in root.iter()} - {""}


def means(*systems: str, link: str = "") -> Chart:
    rows = [
        {"system": system, "aspect": "style", "mean": place, "low": place - 1, "high": place + 1}
        | ({"link": link} if link else {})
        for place, system in enumerate(systems)
    ]
    return system_means(rows, title="Means", score="mean")


def test_marks_name_their_metric_with_what_it_is_compared_to():
    rows = [
        {"metric": "BLEU", "compared_to": text, "aspect": "style", "value": 0.5}
        for text in ("source", "reference")
    ]
    assert things(heat_map(rows, title="r", statistic="r")) == {"BLEU · source", "BLEU · reference"}


def test_lines_and_the_names_at_their_ends_are_of_the_same_metric():
    rows = [
        {"metric": "BLEU", "compared_to": "source", "end": end, "systems": n, "value": n / 10}
        for end in ("top", "last")
        for n in (5, 4, 3)
    ]
    chart = top_last_curves(rows, title="r", statistic="r")
    assert things(chart) == {"BLEU · source"}
    named = [
        mark
        for mark in ElementTree.fromstring(to_svg(chart)).iter()
        if mark.tag.endswith("text") and mark.get("data-of")
    ]
    assert [mark.text for mark in named] == ["BLEU · source"] * 2


def test_a_hostile_name_stays_the_text_of_an_attribute():
    assert things(means(HOSTILE)) == {HOSTILE}


def test_links_of_a_picture_lead_nowhere_but_into_the_site():
    svg = to_svg(means("BART", link="../disagreement/?systems=BART"))
    links = [link.get(LINK) for link in ElementTree.fromstring(svg).iter() if link.get(LINK)]
    assert links == ["../disagreement/?systems=BART"]
    assert "vega.github.io" not in svg


def test_a_matrix_and_its_table_name_what_is_compared():
    pairs = [
        {"first": first, "second": second, "value": 0.5, "n": 9}
        for first, second in (("Ann", "Ann"), ("Ann", "Ben"), ("Ben", "Ben"))
    ]
    chart = metric_matrix(pairs, ["Ann", "Ben"], statistic="r", things="raters", title="Raters")
    assert things(chart) == {"Ann", "Ben"}
    [row] = table_rows(chart)
    assert naming(row, chart) == ' data-of="Ann" data-and="Ben"'


def test_a_picture_names_its_font_once_and_has_no_empty_shapes():
    svg = to_svg(means("BART", "IBT", "YI"))
    assert svg.count("font-family=") == svg[: svg.index(">")].count("font-family=") == 1
    shapes = [mark for mark in ElementTree.fromstring(svg).iter() if mark.tag.endswith("path")]
    assert shapes
    assert all(shape.get("d") for shape in shapes)
