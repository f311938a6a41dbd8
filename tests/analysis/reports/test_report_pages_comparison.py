"""The pages that compare metrics and systems: a simulated study whose truth is known, and pairs."""

import re

import numpy as np
import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from tests.fixtures.report_pages import open_page, tables, words

pytestmark = pytest.mark.django_db
SYSTEMS = {"equal one": 60.0, "equal two": 60.0, "worse": 45.0, "worst": 30.0}
"""True mean ratings."""
METRICS = {"near one": 8.0, "near two": 8.0, "noise": 400.0}
"""Standard deviations of the error that is added to the truth."""
SEGMENTS = 60
PAGE = "/studies/simulated/comparison/"


def simulated():
    """Files of a study in which two systems are equal and two metrics are equally good."""
    generator = np.random.default_rng(21)
    outputs = [["segment_id", "system", "output"]]
    ratings = [["segment_id", "system", "rater", "aspect", "score"]]
    scores = [["segment_id", "system", "metric", "score"]]
    for segment in range(SEGMENTS):
        for system, mean in SYSTEMS.items():
            cell = [f"s{segment}", system]
            outputs.append([*cell, f"{system} writes {segment}"])
            truth = mean + generator.normal(scale=12)
            for rater in ("r1", "r2"):
                rating = np.clip(truth + generator.normal(scale=6), 0, 100)
                ratings.append([*cell, rater, "style", f"{rating:.1f}"])
            for metric, error in METRICS.items():
                scores.append([*cell, metric, f"{truth + generator.normal(scale=error):.3f}"])
            scores.append([*cell, "unknown", f"{truth:.3f}"])
    segments = [["segment_id", "source"], *([f"s{n}", f"source {n}"] for n in range(SEGMENTS))]
    return {
        "segments.csv": segments,
        "outputs.csv": outputs,
        "ratings.csv": ratings,
        "metric_scores.csv": scores,
        "study.json": {
            "title": "Simulated",
            "simulated": True,
            "scales": {"style": [0, 100]},
            "protocol": "direct_assessment",
            "metrics": {name: {"orientation": "higher"} for name in METRICS},
        },
    }


@pytest.fixture(scope="module", autouse=True)
def _study(import_once):
    import_once(simulated(), "simulated")


def summary_of(page):
    (section,) = [s for s in page.iter("section") if s.get("aria-label") == "Summary"]
    return section, words(section)


def test_of_two_equal_metrics_the_summary_ranks_neither(client):
    page = open_page(client, PAGE)
    section, text = summary_of(page)
    one, other = sorted(("near one", "near two"), key=text.index)
    assert f"no difference was detected between {one} and {other} (Δr = " in text
    assert re.search(r"Both exceed noise \(p [≤<] \.\d+, Holm\)", text)
    # Each sentence leads to the row with its numbers.
    ids = {row.get("id") for row in page.iter("tr")}
    links = [a.get("href") for a in section.iter("a")]
    assert links
    assert {link.removeprefix("#") for link in links} <= ids


def test_of_two_equal_systems_the_summary_ranks_neither(client):
    page = open_page(client, "/studies/simulated/system-comparison/")
    _, text = summary_of(page)
    one, other = sorted(("equal one", "equal two"), key=text.index)
    assert f"no difference was detected between {one} and {other} (Δ of means = " in text
    assert re.search(r"Both exceed worse \(p [≤<] \.\d+", text)
    shown = tables(page)["Systems by human scores"]
    assert [shown.cell("Rank range", name).text for name in SYSTEMS] == ["1–2", "1–2", "3", "4"]
    assert [shown.cell("Cluster", name).text for name in SYSTEMS] == ["1", "1", "2", "3"]


def test_a_metric_of_unknown_orientation_is_left_out_and_named(client, study):
    content = report(study, "comparison", Question())["content"]
    assert [entry["metric"] for entry in content["left_out"]] == ["unknown"]
    assert "whether higher or lower unknown is better" in words(open_page(client, PAGE))
