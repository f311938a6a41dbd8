"""Where raters are divided: from files to the section of the page and the table of soft labels."""

import random

import numpy as np
import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.stats.rater_models.labels import Labels, dawid_skene, votes
from analysis.tables.of_reports import flat_tables
from tests.fixtures.report_pages import open_page, reader, tables, words

pytestmark = pytest.mark.django_db
RATERS = ("ann", "ben", "cem", "dia")
SEGMENTS = 40
SPLIT = 7
"""The segment about which half of the raters say 1 and half 5."""


@pytest.fixture(scope="module")
def answers():
    draw = random.Random(5)
    found = [[min(5, max(1, round(draw.gauss(3, 0.7)))) for _ in RATERS] for _ in range(SEGMENTS)]
    found[SPLIT] = [1, 5, 1, 5]
    found[SPLIT + 1] = [2, 3, 2, 3]
    return np.array(found)


@pytest.fixture(scope="module", autouse=True)
def _study(import_once, answers):
    rated = [
        [f"s{n}", "one", who, "formal", str(value)]
        for n, given in enumerate(answers)
        for who, value in zip(RATERS, given, strict=True)
    ]
    import_once(
        {
            "outputs.csv": [
                ["segment_id", "source", "system", "output"],
                *([f"s{n}", f"source {n}", "one", f"one {n}"] for n in range(SEGMENTS)),
            ],
            "ratings.csv": [["segment_id", "system", "rater", "aspect", "score"], *rated],
        }
    )


def counted(answers):
    item, _ = np.indices(answers.shape)
    return votes(item.ravel(), answers.ravel() - 1, SEGMENTS, 5)


def test_the_page_begins_with_the_item_that_splits_raters_and_links_its_texts(study, answers):
    page = open_page(reader("ria", "small"), "/studies/small/raters/?resamples=100&open=divided")
    table = tables(page)["Items that divide raters of formal most"]
    first = table.rows[0][1]
    assert [cell.text for cell in first[:3]] == ["s7", "one", "2 × 1, 2 × 5"]
    assert (first[3].text, first[4].text.replace("−", "-")) == ("0.43", "-1.00")
    assert first[0].link == "/studies/small/segments/?q=s7"
    # Neighbouring answers have the same entropy, and divide raters less.
    later = [cells[0].text for _, cells in table.rows]
    assert "s8" not in later[:3]
    assert "raters with different standards may all be right" in words(page)


def test_soft_labels_are_shares_and_posteriors_with_their_signatures(study, answers):
    made = {each.name: each for each in flat_tables(report(study, "raters", Question()))}
    rows = made["soft-labels"].records()
    assert len(rows) == SEGMENTS * 5
    counts = counted(answers)
    shares = {(row["segment"], row["category"]): row["share"] for row in rows}
    for n in range(SEGMENTS):
        given = [shares[f"s{n}", str(point)] for point in range(1, 6)]
        assert given == pytest.approx(counts[n] / len(RATERS))
    item, rater = np.indices(answers.shape)
    met, label = np.unique(answers.ravel(), return_inverse=True)
    model = dawid_skene(Labels(item.ravel(), rater.ravel(), label, len(met)))
    posterior = {(row["segment"], row["category"]): row["posterior"] for row in rows}
    for n in range(SEGMENTS):
        found = [posterior[f"s{n}", str(point)] for point in met]
        assert found == pytest.approx(model.posterior[n], abs=1e-6)
    assert {row["signature"] for row in rows} == {"soft-labels|categories:5|share:of-raters|v:0.1"}
    assert {row["model_signature"].split("|")[0] for row in rows} == {"dawid-skene"}
