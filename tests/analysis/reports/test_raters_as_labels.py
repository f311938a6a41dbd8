"""How often raters are right, where answers are categories: from files to the page."""

import random

import numpy as np
import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.stats.rater_models.labels import Labels, dawid_skene
from tests.fixtures.report_pages import open_page, reader, tables

pytestmark = pytest.mark.django_db
RIGHT = {"ann": 0.95, "ben": 0.9, "cem": 0.6}
SEGMENTS = 150


@pytest.fixture(scope="module")
def answers():
    draw = random.Random(8)
    truth = [draw.randint(0, 1) for _ in range(SEGMENTS)]
    return {
        who: [each if draw.random() < right else 1 - each for each in truth]
        for who, right in RIGHT.items()
    }


@pytest.fixture(scope="module", autouse=True)
def _study(import_once, answers):
    rated = [
        [f"s{n}", "one", who, "formal", str(value)]
        for who, given in answers.items()
        for n, value in enumerate(given)
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


def test_the_page_says_how_often_each_rater_is_right(study, answers):
    item, rater = (each.ravel() for each in np.indices((SEGMENTS, len(RIGHT))))
    label = np.array(list(answers.values())).T.ravel()
    expected = dawid_skene(Labels(item, rater, label, 2)).accuracy
    page = open_page(reader("ria", "small"), "/studies/small/raters/?resamples=100")
    rows = tables(page)["Raters of formal by how often they are right"].rows
    shown = {cells[0].text: cells[2].text for _, cells in rows}
    assert list(shown) == list(RIGHT)
    for who, share in zip(RIGHT, expected, strict=True):
        assert shown[who].startswith(f"{share:.2f}")
        assert abs(share - RIGHT[who]) < 0.1
    [found] = report(study, "raters", Question(resamples=100))["content"]["labels"]
    assert (found["items"], found["categories"]) == (SEGMENTS, ["0", "1"])
    assert all(each["accuracy"]["interval"] for each in found["raters"])
    least = min(found["raters"], key=lambda each: each["competence"])
    assert least["rater"] == "cem"
