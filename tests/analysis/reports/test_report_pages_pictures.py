"""Charts of outputs, raters and trade-offs in the reports of the demo study, number by number."""

import pytest

from analysis.charts.scatter import pareto_front
from analysis.figures import figures
from analysis.filter.question import Question
from analysis.reports.kind import opened
from analysis.reports.page_address import Choices
from analysis.reports.service import report
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"


def test_systems_that_no_other_beats_on_both_aspects_are_ringed(study):
    found = report(study, "ranking", Question())
    made = figures(opened(found), Choices())
    assert [name for name in made if name.startswith("trade-off")] == [
        "trade-off-1",
        "trade-off-2",
    ]
    records = made["trade-off-1"]().records()
    means = [(row["x"], row["y"]) for row in records]
    assert [row["on_front"] == "yes" for row in records] == pareto_front(means)
    style = {
        entry["system"]: entry["raw"]["result"]["value"]
        for entry in found["content"]["tables"][0]["systems"]
        if not entry["human"]
    }
    assert {row["system"]: row["x"] for row in records} == style
    assert all(row["x_low"] < row["x"] < row["x_high"] for row in records)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("correlation", ("score-scatter", "calibration")),
        ("raters", ("rater-matrix-1", "rater-matrix-3")),
        ("ranking", ("trade-off-1", "trade-off-2")),
        ("scores", ("score-histograms",)),
        ("system-comparison", ("differences",)),
    ],
)
def test_each_picture_is_on_its_page_and_downloads_with_its_table(client, kind, names):
    query = "?aspect=content" if kind == "correlation" else ""
    page = open_page(client, f"{STUDY}/{kind}/{query}")
    shown = {image.get("src", "").partition("?")[0] for image in page.iter("img")}
    for name in at_least_one(names):
        address = f"{STUDY}/{kind}/charts/{name}"
        assert f"{address}.svg" in shown
        assert client.get(f"{address}.csv{query}").status_code == 200
        assert b"<svg" in client.get(f"{address}.svg{query}").content
