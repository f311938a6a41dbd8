"""What a reader chose to see of a report's figures."""

from dataclasses import dataclass

from analysis.filter.question import QuestionError
from analysis.reports.agreement.report import HEADLINE as AGREEMENT_HEADLINE
from analysis.reports.correlation.report import HEADLINE


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
    """

    bars: str = ""
    curve: str = ""
    scatter: str = ""
    distribution: str = ""
    drawn: str = ""

    def __post_init__(self) -> None:
        for name, value, known in (
            ("bars", self.bars, AGREEMENT_HEADLINE),
            ("curve", self.curve, tuple(HEADLINE)),
        ):
            if value and value not in known:
                raise QuestionError(f"{name}={value}: expected one of {', '.join(known)}")
