"""What a page says of the metrics that its report took, and of those it passed over."""

from collections.abc import Sequence
from typing import Any, cast

from analysis.charts.chart import counted
from analysis.data.picking import MetricChoice
from analysis.reports.page_address import Address
from corpus.vocabulary.aspects import FAMILY_TITLES, Family

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
    if not picked:
        return {}
    other, descriptions = picked.other, picked.descriptions
    words = {
        "taken": _taken(picked, aspect),
        "none": not picked.taken,
        "other": _some(other),
        "passed_over": _that(len(other), "measures another aspect", "measure another aspect"),
        "descriptions": _some(descriptions),
        "describes": "only describes" if len(descriptions) == 1 else "only describe",
        "all_query": "",
    }
    if other and picked.rule == "family":
        words["all_query"] = address.query(aspect=aspect, candidates="all")
        words["all"] = len(other) + picked.taken
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
