"""What a reader chose to see of a report's figures and tables."""

from dataclasses import dataclass

from analysis.filter.question import QuestionError
from analysis.reports.agreement.report import HEADLINE as AGREEMENT_HEADLINE
from analysis.reports.correlation.report import HEADLINE
from analysis.tables.marks import BELOW

MOST_PANELS = 4
"""Metrics side by side in one picture."""
LISTS = ("panels",)
"""Choices of several values."""


@dataclass(frozen=True)
class Choices:
    """What a reader chose to see of a report; empty for the default.

    Parameters
    ----------
    bars
        Statistic of agreement in the bar chart.
    curve
        Headline correlation in the top-N and last-N curves.
    scatter
        Label of the metric in the scatter plot, as `scatter_labels` gives it.
    drawn
        Label of the metric in the curves of the subgroups report.
    distribution
        Label of the metric in the distributions, as `score_figures.column_labels` gives it.
    style_axis, other_axis
        Labels of the metrics of the trade-off plot in the report of metric scores by system.
    panels
        Labels of the metrics that the same report shows side by side, at most four.
    marks
        How significance is marked in tables.
    """

    bars: str = ""
    curve: str = ""
    scatter: str = ""
    distribution: str = ""
    drawn: str = ""
    style_axis: str = ""
    other_axis: str = ""
    panels: tuple[str, ...] = ()
    marks: str = ""

    def __post_init__(self) -> None:
        for name, value, known in (
            ("bars", self.bars, AGREEMENT_HEADLINE),
            ("curve", self.curve, tuple(HEADLINE)),
            ("marks", self.marks, tuple(BELOW)),
        ):
            if value and value not in known:
                raise QuestionError(f"{name}={value}: expected one of {', '.join(known)}")
        if len(self.panels) > MOST_PANELS:
            raise QuestionError(
                f"panels: choose at most {MOST_PANELS} metrics, not {len(self.panels)}"
            )
