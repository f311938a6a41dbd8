"""What pages say of a report's metrics: which were taken, in which groups, which side is better."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

from analysis.charts.chart import counted, sentence
from analysis.charts.table import Row, number
from analysis.data.named_metric import NamedMetric
from analysis.data.picking import MetricChoice
from analysis.filter.field import Pairs
from analysis.filter.question import QuestionError
from analysis.reports.grouping import grouped
from analysis.reports.page_address import Address
from analysis.reports.summaries import listed
from analysis.result_values import result_values
from analysis.stats.results import Result
from analysis.wording import column_labels, metric_labels
from corpus.vocabulary.aspects import FAMILY_TITLES, Family

BETTER = {
    "higher": "higher is better",
    "lower": "lower is better",
    "target": "nearer a target value is better",
    "descriptive": "neither higher nor lower is better",
    "unknown": "not declared whether higher or lower is better",
}


def better_sides(sides: Iterable[tuple[str, str]]) -> str:
    """Return one sentence for named metrics; those that differ from most are named.

    Examples
    --------
    >>> better_sides([("BLEU", "higher is better"), ("chrF", "higher is better")])
    'Higher is better.'
    >>> better_sides([("BLEU", "higher is better"), ("TER", "lower is better")])
    'Higher is better, except for TER (lower is better).'
    """
    found = list(dict.fromkeys(sides))
    if not found:
        return ""
    [(most, _), *_] = Counter(words for _, words in found).most_common(1)
    others = grouped((each for each in found if each[1] != most), lambda each: each[1])
    parts = [f"{listed([n for n, _ in own])} ({words})" for words, own in others.items()]
    exceptions = f", except for {listed(parts)}" if parts else ""
    return f"{sentence(most)}{exceptions}."


MOST_DRAWN = 24
"""Metrics of a figure with a row for each."""

Metric = TypeVar("Metric", bound=NamedMetric)


def by_comparison(shown: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Return rows by what they compare outputs with; those that compare with nothing come first.

    Examples
    --------
    >>> rows = [{"compared_to": "source", "name": "bleu"}, {"compared_to": "", "name": "ppl"}]
    >>> [group for group, _ in by_comparison(rows)]
    ['', 'source']
    """
    ordered = sorted(shown, key=lambda row: row["compared_to"] != "")
    return list(grouped(ordered, lambda row: row["compared_to"]).items())


def named(column: NamedMetric, names: Mapping[tuple[str, str], tuple[str, str]]) -> dict[str, str]:
    """Return what a row in such a group is called, see `analysis.wording.metric_labels`."""
    name, compared_to = names[column.run, column.metric]
    return {"name": name, "compared_to": compared_to}


def labelled(metrics: Sequence[NamedMetric], numbers: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return metrics as the rows of a page's table, each under a name that no other has.

    `numbers` names results of each that are shown in columns, None where one is missing.
    """
    names = tuple(numbers)
    return [
        vars(each)
        | {"name": label}
        | {"numbers": [getattr(each, "results", {}).get(name) for name in names]}
        for label, each in zip(column_labels(metrics), metrics, strict=True)
    ]


def drawn_rows(metrics: Sequence[Metric], result: Callable[[Metric], Result]) -> list[Row]:
    """Return the metrics with the highest values of a result as rows of a figure, in groups."""
    labels = metric_labels(metrics)
    rows: list[Row] = []
    for each in metrics:
        metric, compared_to = labels[each.run, each.metric]
        rows.append({"metric": metric, "compared_to": compared_to} | result_values(result(each)))
    rows.sort(key=lambda row: -(number(row, "value") or 0.0))
    return [row for _, group in by_comparison(rows[:MOST_DRAWN]) for row in group]


def first_is_default(names: Sequence[str]) -> Pairs:
    """Return names as choices of which the first is shown where none is chosen."""
    return tuple(("" if place == 0 else name, name) for place, name in enumerate(names))


def chosen_place(field: str, chosen: str, labels: Sequence[str]) -> int:
    """Return the place of the metric that a page's field chose, the first where none is chosen.

    Raises
    ------
    QuestionError
        If no metric has that name.
    """
    if chosen and chosen not in labels:
        raise QuestionError(f"{field}={chosen}: expected one of {', '.join(labels)}")
    return labels.index(chosen) if chosen else 0


MOST_NAMED = 3


def picked_words(picked: MetricChoice | None, aspect: str, address: Address) -> dict[str, Any]:
    """Return what `analysis/picked.html` shows; empty for reports that say nothing of it.

    Parameters
    ----------
    picked
    aspect
        Name of the measure.
    address
        Of the page: the same question with every metric is one step away.
    """
    if not picked or not aspect:
        return {}
    other, descriptions = picked.other, picked.descriptions
    words = {
        "taken": _taken(picked, aspect),
        "none": not picked.taken,
        "other": _some(other),
        "passed_over": _that(len(other), "measures another aspect", "measure another aspect"),
        "trials": counted(picked.trials, "run") if picked.trials else "",
        "descriptions": _some(descriptions),
        "describes": "only describes" if len(descriptions) == 1 else "only describe",
        "all_query": "",
    }
    if (other or picked.trials) and picked.rule == "family":
        words["all_query"] = address.query(aspect=aspect, candidates="all")
        words["all"] = len(other) + picked.trials + picked.taken
    return words


def _taken(picked: MetricChoice, aspect: str) -> str:
    count, family = picked.taken, picked.family
    metrics = counted(count, "metric")
    if picked.rule == "named":
        return f"{metrics}, chosen by name."
    if not count:
        return f"No metric here measures {aspect}."
    if picked.rule == "all":
        return f"{metrics} of all families."
    if family in ("overall", "other"):
        return f"{metrics}: any metric may track {aspect}."
    measured = FAMILY_TITLES[cast(Family, family)].lower()
    return f"{_that(count, 'measures', 'measure', 'metric')} {measured}."


def _some(names: Sequence[str]) -> str:
    """Name the first few, and count the others."""
    more = len(names) - MOST_NAMED
    if more > 1:
        return f"{', '.join(names[:MOST_NAMED])} and {more} more"
    return ", ".join(names)


def _that(count: int, one: str, many: str, noun: str = "") -> str:
    shown = counted(count, noun) if noun else str(count)
    return f"{shown} that {one if count == 1 else many}"
