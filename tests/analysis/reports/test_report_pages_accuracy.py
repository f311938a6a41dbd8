"""Ceilings, corrected correlations and accuracies on the demo study, and sentences about them."""

import math

import numpy as np
import pytest
from scipy.stats import f_oneway, pearsonr
from statsmodels.stats.multitest import multipletests

from analysis.data import matrices
from analysis.data.picking import pick
from analysis.estimates.ceilings import ratings_of_persons
from analysis.estimates.correlations import align, human_side
from analysis.filter.question import Question
from analysis.reports.service import report
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"
CONTENT = Question(aspect="content")


@pytest.fixture
def content(study):
    return report(study, "accuracy", CONTENT)["content"]


def test_the_segment_ceiling_follows_from_an_analysis_of_variance(study, content):
    data = matrices.load(study)
    cube = ratings_of_persons(data, CONTENT, "content").reshape(-1, 8)
    units = [ratings[np.isfinite(ratings)] for ratings in cube]
    (k,) = {len(ratings) for ratings in units}
    between = f_oneway(*units).statistic
    single = (between - 1) / (between - 1 + k)
    rho = k * single / (1 + (k - 1) * single)
    assert content["ceilings"]["segment"]["value"] == pytest.approx(math.sqrt(rho), abs=1e-9)


def test_a_corrected_correlation_is_r_over_the_ceiling(study, content):
    data = matrices.load(study)
    for column, row in at_least_one(
        zip(pick(data, CONTENT, "content").taken, content["rows"], strict=True)
    ):
        pairing = align(data, CONTENT, column, human_side(data, CONTENT, "content"))
        r = pearsonr(pairing.metric.ravel(), pairing.human.ravel())[0]
        expected = r / content["ceilings"]["segment"]["value"]
        assert row["results"]["segment_corrected"]["value"] == pytest.approx(expected, abs=1e-9)


def test_the_summary_of_correlations_says_what_the_numbers_say(client, study):
    found = report(study, "correlation", CONTENT)["content"]
    rows = [row for row in found["rows"] if row["relation"] in ("own", "possible")]
    results = [row["results"]["system_pearson"] for row in rows]
    detected = multipletests([result["p_value"] for result in results], method="holm")[0]
    page = open_page(client, f"{STUDY}/correlation/?aspect=content")
    (section,) = [s for s in page.iter("section") if s.get("aria-label") == "Summary"]
    count, metrics = int(detected.sum()), len(rows)
    expected = {
        0: f"none of {metrics} metrics is seen to correlate",
        1: f"1 of {metrics} metrics correlates",
    }
    wanted = expected.get(
        count, f"{'all' if count == metrics else f'{count} of'} {metrics} metrics correlate"
    )
    assert f"On content, {wanted} with human scores over" in words(section)
    ids = {row.get("id") for row in page.iter("tr")}
    assert {a.get("href").removeprefix("#") for a in section.iter("a")} <= ids
