"""Metrics whose scores seem to run the other way than stated, by their correlation over systems."""

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.charts.chart import format_interval, format_number
from analysis.data.picking import relation_of_row
from analysis.stats.correlation.bivariate import fisher_interval

Row = Mapping[str, Any]
FEWEST_SYSTEMS = 4
STATISTIC = "system_pearson"


def orientation_doubts(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the metrics that systems contradict: rated higher by humans, scored worse.

    A metric is doubted where its oriented correlation over systems is clearly negative on the
    aspect that it measures, or, if it may measure any, on each of them. A metric of another aspect
    may well be negative: what keeps the content often changes the style less.

    Parameters
    ----------
    rows
        Of a correlation report: `run`, `metric`, `name`, `aspect`, `own_aspect`, `metric_aspect`,
        `orientation`, `better`, `results`.
    """
    by_metric: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row["orientation"] == "oriented" and row["better"] in ("higher", "lower"):
            by_metric.setdefault((row["run"], row["metric"]), []).append(row)
    doubts = []
    for found in by_metric.values():
        judged = [row for row in found if row["own_aspect"]]
        if not judged:
            judged = [row for row in found if relation_of_row(row) == "possible"]
        known = [row for row in judged if row["results"][STATISTIC].get("interval")]
        if known and all(is_clearly_negative(row["results"][STATISTIC]) for row in known):
            doubts += [_doubt(row) for row in known]
    return doubts


def is_clearly_negative(result: Mapping[str, Any]) -> bool:
    """Whether a correlation over systems lies below 0 with its interval and with Fisher's.

    The bootstrap of segments does not know how few the systems are; Fisher's interval does.
    """
    interval, value, systems = result.get("interval"), result.get("value"), result.get("n", 0)
    if not interval or value is None or systems < FEWEST_SYSTEMS:
        return False
    fisher = fisher_interval(value, systems)
    among_systems = value == -1 if fisher is None else fisher.high < 0
    return among_systems and float(interval["high"]) < 0


def _doubt(row: Row) -> dict[str, Any]:
    facts = ("run", "metric", "name", "aspect", "better")
    result = row["results"][STATISTIC]
    return {name: row[name] for name in facts} | {"result": result, "sentence": _words(row, result)}


def _words(row: Row, result: Mapping[str, Any]) -> str:
    interval = format_interval(result["interval"]["low"], result["interval"]["high"])
    return (
        f"{row['name']} is oriented as “{row['better']} is better”, but over {result['n']} systems "
        f"its oriented correlation with human scores of {row['aspect']} is clearly negative: "
        f"r = {format_number(result['value'])} {interval}. Either the metric fails here, or its "
        "scores run the other way than stated, as those of a TER that is stored as −TER do."
    )
