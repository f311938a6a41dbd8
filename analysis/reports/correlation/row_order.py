"""The order of metrics in the heat map."""

from collections.abc import Sequence

import numpy as np

from analysis.reports.correlation.content import MetricRow
from analysis.stats.correlation.score_matrix import order_of_rows


def like_beside_like(rows: Sequence[MetricRow]) -> tuple[int, ...]:
    """Return places of rows so that metrics which go together with people alike are adjacent.

    Alike are metrics whose correlations are so on all aspects. Aspects keep the order in which they
    first stood.
    """
    metrics = [(row.run, row.metric, row.orientation == "raw") for row in rows]
    different = list(dict.fromkeys(metrics))
    aspects = list(dict.fromkeys(row.aspect for row in rows))
    values = np.full((len(different), len(aspects)), np.nan)
    for metric, row in zip(metrics, rows, strict=True):
        value = row.results["asked"].value
        if value is not None:
            values[different.index(metric), aspects.index(row.aspect)] = value
    place_of = {different[row]: place for place, row in enumerate(order_of_rows(values).tolist())}

    def place(number: int) -> tuple[int, int]:
        return place_of[metrics[number]], aspects.index(rows[number].aspect)

    return tuple(sorted(range(len(rows)), key=place))
