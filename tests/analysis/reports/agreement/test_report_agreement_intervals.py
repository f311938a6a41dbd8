"""Agreement in the report under intervals by drawing segments, annotators or both."""

from typing import Any

import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.report_pages import open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]
CONTENT = Question(aspect="content", resamples=100)
OVER = {
    "segments": "segments",
    "annotators": "annotators",
    "segments-and-annotators": "segments and annotators",
}


def numbers_of(study: Study, question: Question) -> dict[tuple[str, ...], dict[str, Any]]:
    rows = report(study, "agreement", question)["content"]["numbers"]
    return {
        (row["humans"], row["batch"], row["aspect"], row["statistic"]): row["result"]
        for row in rows
    }


@pytest.mark.parametrize("resample", list(OVER))
def test_what_is_drawn_changes_the_interval_and_not_the_value(study, resample):
    plain = numbers_of(study, CONTENT)
    drawn = numbers_of(study, CONTENT.but(resample=resample))
    assert plain.keys() == drawn.keys()
    told = 0
    for key, result in drawn.items():
        assert result["kind"] == plain[key]["kind"]
        if result["kind"] == "undefined":
            continue
        assert result["value"] == plain[key]["value"]
        assert f"bootstrap:{resample}" in result["signature"]
        if result["interval"]:
            told += 1
            assert result["interval"]["method"] == f"percentile bootstrap over {OVER[resample]}"
            assert "degenerate_draws" in result["details"]
        else:
            assert key[1] != "all"
            assert result["details"]["no_interval_because"] == "fewer than 6 annotators"
            assert "leave_one_annotator_out" in result["details"]
    assert told


def test_the_page_offers_the_draws_and_tells_the_range_of_few_annotators(study):
    client = reader("ada", "formality-demo")
    address = "/studies/formality-demo/agreement/?aspect=content&resamples=100&resample=annotators"
    report(study, "agreement", CONTENT.but(resample="annotators"))
    page = open_page(client, address)
    assert "copies of one annotator never form a pair" in words(page)
    batch = next(name for name in tables(page) if name.startswith("Agreement per"))
    fact = tables(page)[batch].rows[0][1][1].numbers[0].facts
    assert "leave one annotator out" in fact
