"""The page of agreement answers first: one line for each thing that was asked."""

import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.report_pages import open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
ANSWERS = "How far raters agree"


def test_the_first_table_is_alpha_of_each_aspect_without_human_written_systems():
    page = open_page(reader("ada", "formality-demo"), "/studies/formality-demo/agreement/")
    found = tables(page)
    assert next(name for name in found if not name.endswith(": table")) == ANSWERS
    assert next(words(h) for h in page.iter("h1")) == "How far do raters agree?"
    rows = report(Study.objects.get(), "agreement", Question())["content"]["numbers"]
    alpha = {
        row["aspect"]: row["result"]["value"]
        for row in rows
        if (row["humans"], row["batch"], row["statistic"]) == ("out", "all", "alpha-interval")
    }
    assert [cells[0].text for _, cells in found[ANSWERS].rows] == ["style", "content", "fluency"]
    for aspect in ("style", "content", "fluency"):
        shown = found[ANSWERS].number("Krippendorff’s α", aspect)
        assert shown.shown == f"{alpha[aspect]:.2f}"
        assert found[ANSWERS].cell("Asked as", aspect).text == "0 to 100"
        assert found[ANSWERS].cell("Same answer", aspect).text == "–"
    assert "Human-written systems are left out here" in words(page)
