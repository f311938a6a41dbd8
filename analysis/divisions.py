"""What divides a study into strata: directions, batches, lengths, halves of systems, attributes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.agreements import batches
from analysis.matrices import Integers, StudyData
from analysis.question import Question, QuestionError
from analysis.selection import Cells, human_scores, scale_aspects, select
from analysis.stats.human_scores import rank_systems
from analysis.stats.strata import Stratum

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
    paired
        Whether the strata are of systems, over the same segments.
    left_out
        Selected segments or systems that are in none.
    """

    by: str
    title: str
    names: tuple[str, ...]
    strata: tuple[Stratum, ...]
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
    if by == BATCH:
        attribute, _ = batches(data, question)
        return _of_segments(cells, by, f"batch ({attribute})", _segment_values(data, attribute))
    if by == LENGTH:
        return _lengths(data, cells)
    if by == DIRECTION:
        return _of_segments(cells, by, "direction", [_words(d) for d in data.directions])
    if any(by in attributes for attributes in data.segment_attributes):
        return _of_segments(cells, by, by, _segment_values(data, by))
    return _of_systems(cells, by, by, _named(by, (system.attributes for system in data.systems)))


def _words(direction: str) -> str:
    return direction.replace("-to-", " to ")


def _segment_values(data: StudyData, attribute: str) -> list[str]:
    return _named(attribute, data.segment_attributes)


def _named(attribute: str, described: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return "survey 1" for a value, so that it can be read alone; empty where there is none."""
    values = [str(attributes.get(attribute, "")) for attributes in described]
    return [f"{attribute} {value}" if value else "" for value in values]


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
    return _of_segments(cells, LENGTH, NAMES[LENGTH], list(values), tuple(names.values()))


def _of_segments(
    cells: Cells, by: str, title: str, values: Sequence[str], order: tuple[str, ...] = ()
) -> Division:
    selected = np.array([values[index] for index in cells.segments], dtype=object)
    names = order or tuple(dict.fromkeys(value for value in selected if value))
    systems = np.arange(len(cells.systems))
    strata = tuple(Stratum(np.flatnonzero(selected == name), systems) for name in names)
    return Division(by, title, names, strata, False, int((selected == "").sum()))


def _of_systems(
    cells: Cells, by: str, title: str, values: Sequence[str], order: tuple[str, ...] = ()
) -> Division:
    selected = np.array([values[index] for index in cells.systems], dtype=object)
    names = order or tuple(dict.fromkeys(value for value in selected if value))
    segments = np.arange(len(cells.segments))
    strata = tuple(Stratum(segments, np.flatnonzero(selected == name)) for name in names)
    return Division(by, title, names, strata, True, int((selected == "").sum()))


def _halves(data: StudyData, question: Question, cells: Cells) -> Division:
    """Divide the systems at the middle of their order by people's raw means."""
    aspect = question.aspect or next(iter(scale_aspects(data)), "")
    human = cells.of(human_scores(data, question.but(scores="raw"), aspect))
    systems = [data.systems[index].name for index in cells.systems]
    ranked = [row.system for row in rank_systems(human, systems) if row.rank is not None]
    upper = (len(ranked) + 1) // 2
    names = (f"the better {upper}", f"the other {len(ranked) - upper}")
    half = {name: names[place >= upper] for place, name in enumerate(ranked)}
    values = [half.get(system.name, "") for system in data.systems]
    return _of_systems(cells, HALVES, NAMES[HALVES], values, names)
