"""Metrics in tables, in groups by what they compare outputs with."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.data.named_metric import NamedMetric


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
