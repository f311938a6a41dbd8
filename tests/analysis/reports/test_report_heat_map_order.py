"""The heat map's order is computed with the report, and not again whenever it is shown."""

from dataclasses import replace

import pytest

from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.correlation import row_order
from analysis.reports.correlation.content import CorrelationReport
from analysis.reports.correlation.figures import correlation_figures
from analysis.reports.kind import opened
from analysis.reports.service import report
from corpus.models import Study

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]


@pytest.fixture
def content() -> CorrelationReport:
    found: CorrelationReport = opened(
        report(Study.objects.get(), "correlation", Question())
    ).content
    return found


def heat_map(content: CorrelationReport) -> list[tuple[str, str]]:
    chart = correlation_figures(content, Question(), Choices(), "")["heat-map"]()
    return [(row["metric"], row["aspect"]) for row in chart.spec["data"]["values"]]


def test_a_report_holds_the_order_that_one_without_it_gets(content: CorrelationReport) -> None:
    assert sorted(content.order) == [*range(len(content.rows))]
    assert content.order != tuple(range(len(content.rows)))
    assert heat_map(content) == heat_map(replace(content, order=()))


def test_a_stored_report_is_shown_without_clustering(
    content: CorrelationReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_order, "order_of_rows", None)
    assert heat_map(content)
    with pytest.raises(TypeError):
        heat_map(replace(content, order=()))
