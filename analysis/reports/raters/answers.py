"""The answers of an aspect as categories: what models of raters and measures of division read."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import Judgements
from analysis.data.measures import SINGLE_RATERS
from analysis.data.scales import scale_of
from analysis.data.selection import select
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from analysis.stats.rater_models.divided import MOST_POINTS

MOST_CATEGORIES = 10


@dataclass(frozen=True)
class Answers:
    """Answers of single raters to items that two or more of them answered.

    Parameters
    ----------
    item, annotator, label : ndarray of int, shape (answers,)
        Number of the item, place of the annotator in the study, number of the category.
    categories
        Names of the categories, lowest first where they are points of a scale.
    points : ndarray
        Their values; empty where they are choices, which have no order.
    first, second : ndarray of int, shape (items,)
        Places of the outputs of each item; −1 where there is no second one.
    """

    item: Integers
    annotator: Integers
    label: Integers
    categories: tuple[str, ...]
    points: Floats
    first: Integers
    second: Integers

    @property
    def counts(self) -> Floats:
        """How often each item was given each category: items × categories."""
        width = len(self.categories)
        cells = np.bincount(self.item * width + self.label, minlength=len(self.first) * width)
        return cells.reshape(-1, width).astype(np.float64)


def answers_of(
    data: StudyData, question: Question, aspect: str, *, identified: bool = False
) -> Answers | None:
    """Return the selected answers of an aspect; None where they are no categories, or none.

    Points of the scale that nobody chose are categories too. With `identified`, raters who are
    places in a list are left out.
    """
    judged = data.judgements
    if aspect not in judged.aspects:
        return None
    of_aspect = judged.aspect == judged.aspects.index(aspect)
    answered = (judged.choice >= 0) | (np.isfinite(judged.value) & (judged.second < 0))
    chosen = np.flatnonzero(of_aspect & answered & selected_judgements(data, judged, question))
    kinds = np.array([each.kind in SINGLE_RATERS for each in judged.annotators], dtype=bool)
    who = judged.annotator[chosen]
    taken = kinds[who] & ~data.unnamed_raters[who] if identified else kinds[who]
    chosen = chosen[taken]
    by_choice = bool((judged.choice[chosen] >= 0).all())
    answers = np.where(judged.choice[chosen] >= 0, judged.choice[chosen], judged.value[chosen])
    met = np.unique(answers)
    if not 1 < len(met) <= MOST_CATEGORIES:
        return None
    values = met if by_choice else np.union1d(scale_of(data, aspect).points, met)
    if len(values) > MOST_POINTS:
        values = met
    outputs = len(data.segment_of_output) + 1
    texts = judged.first[chosen] * outputs + judged.second[chosen] + 1
    items, item, times = np.unique(texts, return_inverse=True, return_counts=True)
    several = times[item] > 1
    if not several.any():
        return None
    kept = np.flatnonzero(times > 1)
    return Answers(
        item=np.searchsorted(kept, item[several]),
        annotator=judged.annotator[chosen[several]],
        label=np.searchsorted(values, answers[several]),
        categories=tuple(
            judged.answers[int(each)] if by_choice else f"{each:g}" for each in values
        ),
        points=np.empty(0) if by_choice else values,
        first=items[kept] // outputs,
        second=items[kept] % outputs - 1,
    )


def selected_judgements(
    data: StudyData, judged: Judgements, question: Question
) -> NDArray[np.bool_]:
    """Whether the texts of each judgement are of selected segments and systems."""
    cells = select(data, question)
    segments = np.isin(data.segment_of_output, cells.segments)
    outputs = segments & np.isin(data.column_of_output, cells.systems)
    return outputs[judged.first] & ((judged.second < 0) | outputs[judged.second])
