"""Metrics in tables and figures, in groups by what they compare outputs with."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from analysis.charts.table import Row, number
from analysis.data.named_metric import NamedMetric
from analysis.result_values import result_values
from analysis.stats.results import Result
from analysis.wording import metric_labels

MOST_DRAWN = 24
"""Metrics of a figure with a row for each."""

Metric = TypeVar("Metric", bound=NamedMetric)


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


def named(column: NamedMetric, names: Mapping[tuple[str, str], tuple[str, str]]) -> dict[str, str]:
    """Return what a row in such a group is called, see `analysis.wording.metric_labels`."""
    name, compared_to = names[column.run, column.metric]
    return {"name": name, "compared_to": compared_to}


def drawn_rows(metrics: Sequence[Metric], result: Callable[[Metric], Result]) -> list[Row]:
    """Return the metrics with the highest values of a result as rows of a figure, in groups."""
    labels = metric_labels(metrics)
    rows: list[Row] = []
    for each in metrics:
        metric, compared_to = labels[each.run, each.metric]
        rows.append({"metric": metric, "compared_to": compared_to} | result_values(result(each)))
    rows.sort(key=lambda row: -(number(row, "value") or 0.0))
    return [row for _, group in by_comparison(rows[:MOST_DRAWN]) for row in group]
