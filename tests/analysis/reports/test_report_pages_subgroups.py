"""Where a metric holds: strata of the demo study, their differences, and curves with bands."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr

from analysis.data import matrices
from analysis.data.selection import metric_columns
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import align, human_side
from analysis.filter.question import Question
from analysis.reports.service import report
from tests.fixtures.report_pages import numbers, open_page, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"
PAGE = f"{STUDY}/subgroups/"
CONTENT = Question(aspect="content")


@pytest.fixture
def data(study) -> StudyData:
    return matrices.load(study)


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
