"""The page of metric scores by themselves, on the demo study."""

import numpy as np
import pytest
from scipy.stats import pearsonr

from analysis.data import matrices
from analysis.data.selection import metric_columns
from analysis.filter.question import Question
from analysis.reports.kind import opened
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"


@pytest.fixture
def study() -> Study:
    return Study.objects.get(slug="formality-demo")


@pytest.fixture
def client():
    return reader("ada", "formality-demo")


def test_the_matrix_holds_the_correlation_of_every_two_metrics(study):
    content = report(study, "scores", Question())["content"]
    data = matrices.load(study)
    columns = metric_columns(data, Question())
    systems = [i for i, s in enumerate(data.systems) if not s.human]
    for first, one in at_least_one(enumerate(columns)):
        for second, other in enumerate(columns[:first]):
            if one.derived or other.derived:
                continue
            pair = []
            for column in (one, other):
                values = data.matrix(data.scores(column.run)[:, column.run.column])[:, systems]
                if column.run.speaks_of:
                    turn = np.array([t != column.run.speaks_of for t in data.target_styles])
                    values = np.where(turn[:, None], 2 * column.run.midpoint - values, values)
                if column.run.orientation == "target":
                    values = -np.abs(values - column.run.target)
                sign = -1 if column.run.orientation == "lower" else 1
                pair.append(sign * values.ravel())
            both = np.isfinite(pair[0]) & np.isfinite(pair[1])
            expected = pearsonr(pair[0][both], pair[1][both])[0]
            assert content["matrix"]["values"][first][second] == pytest.approx(expected, abs=1e-9)


def test_extreme_segments_lead_to_their_outputs(client, study):
    page = open_page(client, f"{STUDY}/scores/")
    content = report(study, "scores", Question())["content"]
    above = [r for r in content["extremes"] if r["column"] == 0 and r["side"] == "above"]
    assert [r["gap"] for r in above] == sorted((r["gap"] for r in above), reverse=True)
    rows = tables(page)["What people wrote scores higher"].rows
    assert [cells[0].text for _, cells in rows] == [r["segment"] for r in above]
    query = rows[0][1][0].link.partition("?")[2]
    target = open_page(client, f"{STUDY}/disagreement/?{query}")
    assert above[0]["segment"] in words(target)


def test_a_histogram_counts_every_score_of_outputs_and_references(client, study):
    content = opened(report(study, "scores", Question())).content
    spread = {(row.column, row.group): row for row in content.distributions}
    assert content.histograms
    for row in content.histograms:
        for group, counts in zip(row.groups, row.bins.counts, strict=True):
            assert sum(counts) == spread[row.column, group].n
        limits = [q for name in row.groups for q in spread[row.column, name].quantiles]
        assert row.bins.edges[0] <= min(limits)
        assert max(limits) <= row.bins.edges[-1]
    page = open_page(client, f"{STUDY}/scores/")
    assert any("How often which score" in image.get("alt", "") for image in page.iter("img"))
