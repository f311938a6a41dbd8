"""What a reader chose to see of a report's figures and tables."""

from dataclasses import dataclass

from analysis.filter.question import QuestionError
from analysis.reports.agreement.report import HEADLINE as AGREEMENT_HEADLINE
from analysis.reports.correlation.report import HEADLINE
from analysis.tables.marks import BELOW


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
    marks: str = ""

    def __post_init__(self) -> None:
        for name, value, known in (
            ("bars", self.bars, AGREEMENT_HEADLINE),
            ("curve", self.curve, tuple(HEADLINE)),
            ("marks", self.marks, tuple(BELOW)),
        ):
            if value and value not in known:
                raise QuestionError(f"{name}={value}: expected one of {', '.join(known)}")
