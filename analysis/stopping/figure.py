"""The picture of a rule: the interval of one comparison, narrowing with every segment."""

import numpy as np

from analysis.charts.chart import Chart
from analysis.charts.curves import narrowing
from analysis.charts.table import Row, number
from analysis.stats.sequences.stopping import sequence_of
from analysis.stopping.look import Look

_MOST_POINTS = 200


def sequence_chart(look: Look) -> Chart:
    """Draw the comparison that needs most segments, with the lines that its rule looks at."""
    row = look.rows[0]
    values = next(
        each.values
        for each in look.laid.compared
        if (each.first, each.second) == (row.found.first, row.found.second)
    )
    criterion = look.laid.criterion
    points: list[Row] = []
    if values.size:
        some = np.unique(np.linspace(0, values.size - 1, _MOST_POINTS).round().astype(int))
        found = sequence_of(values, criterion, look.verdict.alpha_each, some)
        # Wider ones say no more than the scale does, and would dwarf the rest.
        told = (found.high - found.low < np.ptp(criterion.bounds)) | (some == values.size - 1)
        columns = (each[told] for each in (some + 1, found.estimate, found.low, found.high))
        points = [
            {"units": int(n), "estimate": float(at), "low": float(low), "high": float(high)}
            for n, at, low, high in zip(*columns, strict=True)
        ]
    margin, width = look.rule.margin, look.rule.half_width
    lines = [0.0] if not look.rule.is_of_widths else []
    if margin and not look.rule.is_of_widths:
        lines += [-margin, margin]
    if look.rule.is_of_widths and points:
        at = number(points[-1], "estimate") or 0.0
        lines += [at - width, at + width]
    aspect = look.rule.aspect.replace("_", " ")
    what = "Mean" if row.found.second is None else "Difference"
    return narrowing(
        points,
        units="Segments",
        axis=f"{what} on {aspect}",
        lines=lines,
        title=f"{row.name}, with its interval",
        name="stopping-sequence",
    )
