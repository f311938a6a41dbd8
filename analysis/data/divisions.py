"""What divides a study into subgroups: direction, batch, length, half of systems, attribute."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Integers
from analysis.data.selection import Cells, human_scores, rated_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.agreements import batches
from analysis.filter.question import Question, QuestionError
from analysis.stats.correlation.strata import Stratum
from analysis.stats.systems.rank_ranges import rank_systems

Filter = dict[str, list[str]]
BANDS = ("short", "middle", "long")
"""Thirds of the lengths of sources in words."""
MOST_STRATA = 12
FEWEST_SYSTEMS = 4
"""Fewer are not divided into halves."""
DIRECTION, BATCH, LENGTH, HALVES = "direction", "batch", "length", "system-subset"
NAMES = {
    DIRECTION: "direction",
    BATCH: "batch of raters",
    LENGTH: "length of the source",
    HALVES: "better and other systems",
}


@dataclass(frozen=True)
class Division:
    """Strata of the selected cells.

    Parameters
    ----------
    by
        Name in the filter.
    title
        In words.
    names
        One a stratum.
    strata
        Positions in the selected cells.
    filters
        What selects each stratum, in the words of the disagreement explorer.
    paired
        Whether the strata are of systems, over the same segments.
    left_out
        Selected segments or systems that are in none.
    """

    by: str
    title: str
    names: tuple[str, ...]
    strata: tuple[Stratum, ...]
    filters: tuple[Filter, ...]
    paired: bool
    left_out: int


def length_bands(words: Integers) -> NDArray[np.str_]:
    """Return the third of the lengths in which each source lies; empty where there is none."""
    known = words >= 0
    low, high = np.quantile(words[known], (1 / 3, 2 / 3)) if known.any() else (0.0, 0.0)
    band = np.where(words <= low, "short", np.where(words <= high, "middle", "long"))
    return np.where(known, band, "")


def divisions(data: StudyData) -> Iterator[tuple[str, str]]:
    """Yield name and title of what divides a study: two strata at least, not too many."""
    if len(set(data.directions) - {""}) >= 2:
        yield DIRECTION, NAMES[DIRECTION]
    attribute, by_batch = batches(data, Question())
    if 2 <= len(by_batch) <= MOST_STRATA:
        yield BATCH, f"{NAMES[BATCH]}: {attribute}"
    if len(set(length_bands(data.source_words)) - {""}) > 1:
        yield LENGTH, NAMES[LENGTH]
    if sum(not system.human for system in data.systems) >= FEWEST_SYSTEMS:
        yield HALVES, NAMES[HALVES]
    compared = [s.attributes for s in data.systems if not (s.human or s.is_baseline)]
    described = (data.segment_attributes, compared)
    for of_segments, attributes in zip((True, False), described, strict=True):
        values: dict[str, set[str]] = {}
        for each in attributes:
            for name, value in each.items():
                values.setdefault(name, set()).add(str(value))
        # By name: a frozen report keeps attributes in that order.
        for name, found in sorted(values.items()):
            if 2 <= len(found - {""}) <= MOST_STRATA and name not in NAMES:
                yield name, f"{name} of {'segments' if of_segments else 'systems'}"


def divide(data: StudyData, question: Question) -> Division:
    """Divide the selected cells by what a question says, or by the first that divides the study.

    Raises
    ------
    QuestionError
        If the study has no such division, or it has too many values.
    """
    cells = select(data, question)
    offered = dict(divisions(data))
    by = question.by or next(iter(offered), "")
    if by not in offered:
        known = ", ".join(offered) or "nothing that divides it"
        raise QuestionError(f"by={question.by}: this study has {known}")
    if by == HALVES:
        return _halves(data, question, cells)
    if by == LENGTH:
        return _lengths(data, cells)
    if by == DIRECTION:
        filters = {_words(d): {"direction": [d]} for d in data.directions if d}
        return _division(cells, by, "direction", [_words(d) for d in data.directions], filters)
    attribute = batches(data, question)[0] if by == BATCH else by
    title = f"batch ({attribute})" if by == BATCH else by
    described = data.segment_attributes
    if any(attribute in attributes for attributes in described):
        values, filters = _named(attribute, described)
        return _division(cells, by, title, values, filters)
    values, filters = _named(attribute, [system.attributes for system in data.systems])
    return _division(cells, by, title, values, filters, of_systems=True)


def _words(direction: str) -> str:
    return direction.replace("-to-", " to ")


def _named(
    attribute: str, described: Iterable[Mapping[str, Any]]
) -> tuple[list[str], dict[str, Filter]]:
    """Return "survey 1" for each value, so that it can be read alone, and what selects it.

    Empty where there is no value.
    """
    values = [str(attributes.get(attribute, "")) for attributes in described]
    filters: dict[str, Filter] = {
        f"{attribute} {value}": {"where": [f"{attribute}:{value}"]} for value in values if value
    }
    return [f"{attribute} {value}" if value else "" for value in values], filters


def _lengths(data: StudyData, cells: Cells) -> Division:
    words = data.source_words[cells.segments]
    bands = length_bands(words)
    names = {}
    for band in BANDS:
        if (bands == band).any():
            own = words[bands == band]
            names[band] = f"{band} ({own.min()}–{own.max()} words)"
    values = np.full(len(data.segment_keys), "", dtype=object)
    values[cells.segments] = [names.get(str(band), "") for band in bands]
    filters: dict[str, Filter] = {name: {"length": [band]} for band, name in names.items()}
    return _division(cells, LENGTH, NAMES[LENGTH], list(values), filters, tuple(filters))


def _division(
    cells: Cells,
    by: str,
    title: str,
    values: Sequence[str],
    filters: Mapping[str, Filter],
    order: tuple[str, ...] = (),
    *,
    of_systems: bool = False,
) -> Division:
    """Divide segments, or systems, by a value of each."""
    divided, others = cells.segments, cells.systems
    if of_systems:
        divided, others = others, divided
    selected = np.array([values[index] for index in divided], dtype=object)
    names = order or tuple(dict.fromkeys(value for value in selected if value))
    whole = np.arange(len(others))
    members = [np.flatnonzero(selected == name) for name in names]
    strata = tuple(Stratum(whole, own) if of_systems else Stratum(own, whole) for own in members)
    left_out = int((selected == "").sum())
    return Division(
        by, title, names, strata, tuple(filters[n] for n in names), of_systems, left_out
    )


def _halves(data: StudyData, question: Question, cells: Cells) -> Division:
    """Divide the systems at the middle of their order by raw human means."""
    aspect = question.aspect or next(iter(rated_aspects(data)), "")
    human = cells.of(human_scores(data, question.but(scores="raw"), aspect))
    systems = [data.systems[index].name for index in cells.systems]
    ranked = [row.system for row in rank_systems(human, systems) if row.rank is not None]
    upper = (len(ranked) + 1) // 2
    names = (f"the better {upper}", f"the other {len(ranked) - upper}")
    half = {name: names[place >= upper] for place, name in enumerate(ranked)}
    values = [half.get(system.name, "") for system in data.systems]
    filters: dict[str, Filter] = {
        names[0]: {"systems": ranked[:upper]},
        names[1]: {"systems": ranked[upper:]},
    }
    return _division(cells, HALVES, NAMES[HALVES], values, filters, names, of_systems=True)
