"""Where a metric holds: strata of the demo study, their differences, and curves with bands."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr

from analysis.data import matrices
from analysis.data.divisions import divide, length_bands
from analysis.data.selection import metric_columns, select
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import align, human_side
from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import numbers, open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"
PAGE = f"{STUDY}/subgroups/"
CONTENT = Question(aspect="content")


@pytest.fixture
def study() -> Study:
    return Study.objects.get(slug="formality-demo")


@pytest.fixture
def data(study) -> StudyData:
    return matrices.load(study)


@pytest.fixture
def client():
    return reader("ada", "formality-demo")


def column_of(data: StudyData, metric: dict[str, Any]):
    columns = metric_columns(data, CONTENT.but(metric=(metric["metric"],)))
    return next(c for c in columns if c.run.signature == metric["run"])


def test_a_stratum_by_direction_is_the_correlation_of_that_direction(study, data):
    content = report(study, "subgroups", CONTENT)["content"]
    assert (content["by"], content["paired"]) == ("direction", False)
    assert [s["name"] for s in content["strata"]] == ["informal to formal", "formal to informal"]
    assert [s["segments"] for s in content["strata"]] == [24, 24]
    for metric in content["metrics"]:
        for direction, result in zip(
            ("informal-to-formal", "formal-to-informal"), metric["results"], strict=True
        ):
            pairing = align(
                data,
                CONTENT.but(direction=direction),
                column_of(data, metric),
                human_side(data, CONTENT.but(direction=direction), "content"),
            )
            both = np.isfinite(pairing.metric) & np.isfinite(pairing.human)
            r = pearsonr(pairing.metric[both], pairing.human[both])[0]
            assert result["value"] == pytest.approx(r, abs=1e-12)
            assert result["interval"]["low"] < r < result["interval"]["high"]


def test_lengths_are_thirds_of_the_words_of_the_sources(data):
    words_of = data.source_words
    assert (words_of > 0).all()
    division = divide(data, CONTENT.but(by="length"))
    rows = [stratum.segments for stratum in division.strata]
    assert sorted(np.concatenate(rows)) == list(range(48))
    assert max(words_of[rows[0]]) < min(words_of[rows[1]])
    assert max(words_of[rows[1]]) < min(words_of[rows[2]])
    low, high = words_of[rows[0]].min(), words_of[rows[0]].max()
    assert division.names[0] == f"short ({low}–{high} words)"
    bands = length_bands(np.array([-1, 3, 9, 6]))
    assert bands.tolist() == ["", "short", "long", "middle"]


def test_systems_are_halved_by_peoples_means_and_compared_on_the_same_segments(study, data):
    content = report(study, "subgroups", CONTENT.but(by="system-subset"))["content"]
    assert content["paired"]
    assert [(s["name"], s["segments"]) for s in content["strata"]] == [
        ("the better 3", 48),
        ("the other 2", 48),
    ]
    division = divide(data, CONTENT.but(by="system-subset"))
    cells = select(data, CONTENT)
    pairing = align(
        data, CONTENT, column_of(data, content["metrics"][0]), human_side(data, CONTENT, "content")
    )
    means = np.nanmean(pairing.human, axis=0)
    better, other = (means[stratum.systems] for stratum in division.strata)
    assert better.min() >= other.max()
    assert len(cells.systems) == 5
    assert {curve["stratum"] for curve in content["curves"]} == {"all"}


def test_curves_have_the_values_of_the_correlation_report_and_a_band(study):
    content = report(study, "subgroups", CONTENT)["content"]
    plain = report(study, "correlation", CONTENT)["content"]["curves"]
    metric = content["metrics"][0]
    curve = next(c for c in content["curves"] if (c["metric"], c["stratum"]) == (0, "all"))
    expected = next(
        c for c in plain if (c["run"], c["metric"]) == (metric["run"], metric["metric"])
    )
    for one, other in at_least_one(zip(expected["subsets"], curve["subsets"], strict=True)):
        assert one["systems"] == other["systems"]
        value = one["results"]["segment_pearson"]["value"]
        assert other["result"]["value"] == pytest.approx(value, abs=1e-12)
        assert other["result"]["interval"]["low"] <= value <= other["result"]["interval"]["high"]


def test_the_page_shows_strata_differences_and_says_no_more_than_the_tests(client, study):
    page = open_page(client, f"{PAGE}?aspect=content")
    found = tables(page)
    content = report(study, "subgroups", CONTENT)["content"]
    strata, differences = found["Metrics by subgroup"], found["Differences between subgroups"]
    assert len(strata.rows) == len(content["metrics"])
    assert len(differences.rows) == len(content["differences"])
    text = words(page)
    detected = sum(row["detected"] for row in content["differences"])
    assert f"{detected} difference" in text if detected else "No difference detected" in text
    assert "No difference detected does not mean that a metric holds equally everywhere" in text
    assert "Below 80 segments, intervals by resampling segments are a little too narrow" in text
    assert len(list(page.iter("figure"))) == 2
    assert all(number.facts["signature"] for number in numbers(page))
