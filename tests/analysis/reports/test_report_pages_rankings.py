"""The report of both rankings: systems by human raters and by each metric."""

import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.report_pages import numbers, open_page, reader, tables

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
PAGE = "/studies/formality-demo/rankings/"


def test_the_page_shows_both_ranks_and_how_far_they_agree() -> None:
    page = open_page(reader("ann", "formality-demo"), f"{PAGE}?aspect=style")
    table = tables(page)["Rankings by style"]
    assert table.headings[:2] == ["System", "Human raters"]
    rank = table.number("Human raters", "careful")
    assert rank.shown.split()[0] == "1"
    assert "outputs" in rank.facts["n"]
    [foot] = page.iter("tfoot")
    agreement = numbers(foot)
    assert len(agreement) == len(table.headings) - 2
    assert all("[" in number.summary for number in agreement)


def test_the_ranks_of_human_raters_are_those_of_the_ranking_report() -> None:
    study = Study.objects.get()
    content = report(study, "rankings", Question(aspect="style", resamples=100))["content"]
    [ranked] = report(study, "ranking", Question(aspect="style"))["content"]["tables"]
    # The other report ranks human-written texts among the systems.
    expected = [each["system"] for each in ranked["systems"] if not each["human"]]
    found = {
        each["system"]: rank["value"]
        for each, rank in zip(content["systems"], content["human"], strict=True)
    }
    assert found == {name: place for place, name in enumerate(expected, 1)}


def test_the_agreement_is_the_correlation_that_the_other_report_gives() -> None:
    study = Study.objects.get()
    asked = Question(aspect="content", resamples=100)
    content = report(study, "rankings", asked)["content"]
    other = asked.but(level="system", statistic="kendall-tau-b", resample="segments")
    rows = report(study, "correlation", other)["content"]["rows"]
    expected = {row["run"]: row["results"]["asked"] for row in rows}
    assert content["columns"]
    for column in content["columns"]:
        assert column["agreement"] == expected[column["run"]]
