"""The order of metrics in the heat map, and their groups in tables."""

from collections.abc import Mapping, Sequence
from typing import Any

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


def by_comparison(
    shown: Sequence[Mapping[str, Any]],
) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Return rows by what they compare outputs with; those that compare with nothing come first.

    Examples
    --------
    >>> rows = [{"compared_to": "source", "name": "bleu"}, {"compared_to": "", "name": "ppl"}]
    >>> [group for group, _ in by_comparison(rows)]
    ['', 'source']
    """
    groups: dict[str, list[Mapping[str, Any]]] = {"": []}
    for row in shown:
        groups.setdefault(row["compared_to"], []).append(row)
    return [(group, rows) for group, rows in groups.items() if rows]
