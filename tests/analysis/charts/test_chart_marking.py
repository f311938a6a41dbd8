"""Marks of a picture name their metric or system, as the rows of the page's tables do."""

from xml.etree import ElementTree

from analysis.charts.chart import Chart
from analysis.charts.dots import system_means
from analysis.charts.heat_map import heat_map
from analysis.charts.render import to_svg

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


def test_a_hostile_name_stays_the_text_of_an_attribute():
    assert things(means(HOSTILE)) == {HOSTILE}


def test_links_of_a_picture_lead_nowhere_but_into_the_site():
    svg = to_svg(means("BART", link="../disagreement/?systems=BART"))
    links = [link.get(LINK) for link in ElementTree.fromstring(svg).iter() if link.get(LINK)]
    assert links == ["../disagreement/?systems=BART"]
    assert "vega.github.io" not in svg
