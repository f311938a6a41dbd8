"""Where all raters give the same answer the pages say so, with an exact interval."""

import csv
import json
import shutil

import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.report_pages import open_page, tables, words
from tests.fixtures.study_files import import_path

pytestmark = pytest.mark.django_db
LEAST = 0.025 ** (1 / 8)
SENTENCE = (
    "All raters gave the same answer on fluency; agreement beyond chance is undefined. "
    "Same answer 100 % (95 % interval 63 to 100 %, 8 {})."
)


def imported_table(tmp_path, rows, **described):
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "study.json").write_text(json.dumps({"title": "Small", **described}))
    with (folder / "ratings.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    job = import_path(folder, without_texts=True)
    assert job.state == "done", job.error
    return Study.objects.get(slug="small")


def percent(study, part):
    rows = report(study, "agreement", Question(resamples=100))["content"][part]
    [found] = [row["result"] for row in rows if row["statistic"] == "percent-agreement"]
    return found


def test_one_score_throughout_is_said_with_an_exact_interval(tmp_path, cases, admin_client):
    folder = tmp_path / "small"
    folder.mkdir()
    shutil.copy(cases / "field" / "6" / "p1_allagree.csv", folder)
    assert import_path(folder, without_texts=True).state == "done"
    found = percent(Study.objects.get(slug="small"), "numbers")
    assert (found["value"], found["n"], found["pairs"]) == (1, 8, 24)
    assert found["interval"]["low"] == pytest.approx(LEAST)
    assert found["interval"]["high"] == 1
    assert "interval:korn-graubard" in found["signature"]
    page = open_page(admin_client, "/studies/small/agreement/")
    assert SENTENCE.format("units") in words(page)
    table = tables(page)["How far raters agree"]
    assert table.number("Krippendorff’s α", "fluency").shown == "undefined"
    assert table.number("Same answer", "fluency").summary == "100 [63, 100]"
    assert SENTENCE.format("units") in words(open_page(admin_client, "/studies/small/"))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("tie", "All raters gave the same answer on fluency (text against text"),
        # Entered both ways, either text is preferred equally often, and α is 1.
        ("A", "Krippendorff’s α is 1.00 on fluency (text against text"),
    ],
)
def test_votes_that_all_agree_are_said(tmp_path, admin_client, answer, sentence):
    rows = [
        [f"s{n}", "near", "far", "fluency", answer, f"r{rater}"]
        for n in range(8)
        for rater in range(3)
    ]
    heading = ["segment_id", "system", "against", "aspect", "judgement", "rater"]
    study = imported_table(tmp_path, [heading, *rows])
    found = percent(study, "choices")
    assert found["value"] == 1
    assert found["interval"]["low"] == pytest.approx(LEAST)
    page = words(open_page(admin_client, "/studies/small/agreement/"))
    assert sentence in page
    assert "100 [63, 100]" in page
