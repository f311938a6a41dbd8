"""Figures of single outputs in the correlation report: both scores of each, and calibration."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from analysis.charts.chart import Chart
from analysis.charts.lines import calibration_curve
from analysis.charts.score_scatter import score_scatter
from analysis.charts.table import Row
from analysis.explorer.links import explorer_link
from analysis.reports.correlation.content import Points
from analysis.result_values import joined
from analysis.stats.correlation.calibration import JointCounts

NOTHING = JointCounts((), (), ())
Conditions = Mapping[str, Sequence[str]]


def outputs_chart(
    points: Points, conditions: Conditions, label: str, side: str, note: str
) -> Chart:
    """Draw outputs by the scores of a metric and of people."""
    counts = points.counts or NOTHING
    metric, human = counts.metric_edges, counts.human_edges

    def counted(i: int, j: int, n: int) -> Row:
        scored, judged = (metric[i], metric[i + 1]), (human[j], human[j + 1])
        return {
            **{"metric_low": scored[0], "metric_high": scored[1]},
            **{"human_low": judged[0], "human_high": judged[1]},
            "n": n,
            "link": explorer_link(conditions, scored=scored, judged=judged),
        }

    return score_scatter(
        [counted(i, j, n) for i, j, n in counts.cells],
        title=f"Outputs: people and {label}",
        metric_label=f"{points.metric}{side}",
        human_label=f"human score, {points.aspect}",
        subtitle=note,
    )


def calibration_chart(
    points: Points, conditions: Conditions, label: str, side: str, note: str
) -> Chart:
    """Draw the mean human score over bins of a metric's score."""
    said = "bins of about equal number; 95 % intervals over outputs"
    return calibration_curve(
        [
            asdict(each) | {"link": explorer_link(conditions, scored=(each.low, each.high))}
            for each in points.calibration
        ],
        title=f"People’s mean where {label} is low and high",
        metric_label=f"{points.metric}{side}",
        human_label=f"human mean, {points.aspect}",
        subtitle=joined(note, said),
    )
