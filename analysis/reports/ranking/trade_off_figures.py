"""The figures of what a change of style costs, in the ranking report."""

from collections.abc import Callable, Mapping
from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.scatter import trade_off
from analysis.charts.trade_off_shapes import trade_off_shapes
from analysis.explorer.links import explorer_link
from analysis.filter.question import Question
from analysis.reports.ranking.report import AspectRanking, RankingReport
from analysis.result_values import axis_values, joined
from analysis.wording import aspect_heading

RINGED = "ringed: no other is as high on both; by means, not by tests"
COSTS = ("content", "fluency")
"""Families of aspects that a change of style costs, where they were rated."""


def trade_off_figures(
    content: RankingReport, question: Question, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws style against content, naturalness and fluency, where they were rated."""
    made: dict[str, Callable[[], Chart]] = {}
    styles = [table for table in content.tables if table.family == "style"]
    for family in COSTS if styles else ():
        for table in content.tables:
            if table.family == family:
                name = f"trade-off-{len(made) + 1}"
                made[name] = partial(_trade_off, styles[0], table, question, name, note)
    return made | shapes_if(made, note)


def shapes_if(made: Mapping[str, object], note: str) -> dict[str, Callable[[], Chart]]:
    """Return what draws the aid for reading trade-offs, where there are some."""
    if not made:
        return {}
    draw = partial(
        trade_off_shapes,
        title="How extreme trade-offs look",
        x_label="strength of the target style",
        y_label="content, naturalness or fluency",
        subtitle=joined(note, "settings of one system on such a curve; no data"),
    )
    return {"trade-off-shapes": draw}


def _trade_off(
    style: AspectRanking, other: AspectRanking, question: Question, name: str, note: str
) -> Chart:
    results = [
        {entry.system: entry.raw.result for entry in table.systems} for table in (style, other)
    ]
    # A human-written system is as high as can be on both: beside it no other would be on the front.
    systems = [entry for entry in style.systems if not entry.human]
    settings = sorted(systems, key=lambda entry: entry.ordinal)
    return trade_off(
        [
            {
                "system": e.system,
                "model": e.model,
                **axis_values("x", results[0][e.system]),
                **axis_values("y", results[1].get(e.system)),
                "link": explorer_link(question.but(aspect=style.aspect), systems=[e.system]),
            }
            for e in settings
        ],
        title=f"{aspect_heading(style.aspect)} against {other.aspect.replace('_', ' ')}",
        x_label=f"human mean, {style.aspect}",
        y_label=f"human mean, {other.aspect}",
        subtitle=joined(note, RINGED),
        name=name,
    )
