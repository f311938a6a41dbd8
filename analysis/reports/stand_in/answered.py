"""Choices between two texts, and categories of one, as items that raters and judges answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import CHOICES, Judgements
from analysis.data.measures import MODEL, SINGLE_RATERS, Measure
from analysis.data.narrowing import EVERYBODY, judge_of
from analysis.data.study_data import StudyData
from analysis.filter.question import Question, QuestionError
from analysis.reports.raters.labels import selected_judgements

NO_ORDER = float(CHOICES.index("tie"))


@dataclass(frozen=True)
class Judge:
    """A model that gave such answers; `prompts` is with how many it was asked in the study."""

    name: str
    measure: Measure
    signature: str
    answers: Floats
    prompts: int


@dataclass(frozen=True)
class Answered:
    """Answers as numbers that mean no more than "the same" or "another".

    Parameters
    ----------
    raters
        Pseudonyms of the rows of `ratings`.
    ratings : ndarray, shape (raters, items)
        NaN where a rater gave no answer.
    first
        Place of the output, or of the first of the pair, that each item is about.
    judges
        In the order in which they appear.
    """

    raters: list[str]
    ratings: Floats
    first: Integers
    judges: tuple[Judge, ...]


def answered(data: StudyData, question: Question, measure: Measure) -> Answered:
    """Return the selected answers to a measure of choices or categories.

    An item is an output, or two in their natural order, however they were shown. Whoever answered
    an item several times, such as a judge that was asked in both orders, gave one answer: that one
    if all are the same, else a tie of two texts, and no category of one.

    Raises
    ------
    QuestionError
        If a metric is asked for that is no judge of this measure.
    """
    index = data.judgements.measures.index(measure)
    rows = _rows(data, question, data.judgements, data.judgements.aspect == index)
    keys = _items(data, data.judgements)
    items, first = np.unique(keys[rows], return_index=True)
    ratings = {
        int(who): _one_answer(data.judgements, rows[own], keys, items)
        for who in np.unique(data.judgements.annotator[rows])
        if (own := data.judgements.annotator[rows] == who).any()
    }
    return Answered(
        raters=[data.judgements.annotators[who].pseudonym for who in ratings],
        ratings=np.array([*ratings.values()]).reshape(len(ratings), len(items)),
        first=data.judgements.first[rows[first]],
        judges=_asked_for(tuple(_judges(data, question, measure, items).values()), question),
    )


def _judges(
    data: StudyData, question: Question, measure: Measure, items: Integers
) -> dict[tuple[int, str, int], Judge]:
    """Return by campaign, name and measure the models that answered the same aspect so."""
    judged = data.by_models
    if judged is None or question.raters in (MODEL, EVERYBODY):
        return {}
    same = [
        each.aspect == measure.aspect and each.answers == measure.answers and each.is_by_models
        for each in judged.measures
    ]
    rows = _rows(data, question, judged, np.array(same, dtype=bool)[judged.aspect])
    keys = _items(data, judged)
    names = np.array([judge_of(each.pseudonym) for each in judged.annotators], dtype=object)
    found: dict[tuple[int, str, int], list[int]] = {}
    for row in rows.tolist():
        key = int(judged.campaign[row]), names[judged.annotator[row]], int(judged.aspect[row])
        found.setdefault(key, []).append(row)
    prompts: dict[str, set[str]] = {}
    for campaign, name, _ in found:
        asked = judged.campaigns[campaign].config.get("judge")
        prompts.setdefault(name, set()).add(
            str(asked.get("prompt")) if isinstance(asked, Mapping) else ""
        )
    several = {name for name in prompts if sum(key[1] == name for key in found) > 1}
    return {
        key: Judge(
            name=name + (f" ({judged.campaigns[campaign].slug})" if name in several else ""),
            measure=judged.measures[aspect],
            signature=f"ratings|rater:{name}|campaign:{judged.campaigns[campaign].slug}"
            f"|measure:{judged.measures[aspect].name}",
            answers=_one_answer(judged, np.array(own), keys, items),
            prompts=len(prompts[name]),
        )
        for key, own in found.items()
        for campaign, name, aspect in (key,)
    }


def _asked_for(judges: tuple[Judge, ...], question: Question) -> tuple[Judge, ...]:
    if not question.metric:
        return judges
    kept = tuple(
        judge
        for judge in judges
        if any(
            fnmatchcase(name, pattern)
            for pattern in question.metric
            for name in (judge.name, f"{judge.name} on {judge.measure.name}")
        )
    )
    if not kept:
        known = ", ".join(judge.name for judge in judges) or "none"
        raise QuestionError(
            f"metric={', '.join(question.metric)}: of choices and categories only judges that "
            f"gave such answers are tested; this study has {known}"
        )
    return kept


def _rows(data: StudyData, question: Question, judged: Judgements, asked: Integers) -> Integers:
    """Return the rows of single raters that hold an answer about the selected texts."""
    single = np.array([each.kind in SINGLE_RATERS for each in judged.annotators], dtype=bool)
    rows = asked & (judged.choice >= 0) & single[judged.annotator]
    return np.flatnonzero(rows & selected_judgements(data, judged, question))


def _items(data: StudyData, judged: Judgements) -> Integers:
    """Return a number for each judgement that is the same wherever the texts are."""
    keys: Integers = judged.first * (len(data.segment_of_output) + 1) + judged.second + 1
    return keys


def _one_answer(judged: Judgements, rows: Integers, keys: Integers, items: Integers) -> Floats:
    """Return the answer that some rows give to each item, NaN where they give none."""
    rows = rows[np.isin(keys[rows], items)]
    place = np.searchsorted(items, keys[rows])
    choice = judged.choice[rows].astype(np.float64)
    low, high = np.full(len(items), np.inf), np.full(len(items), -np.inf)
    np.minimum.at(low, place, choice)
    np.maximum.at(high, place, choice)
    differing = NO_ORDER if (judged.second[rows] >= 0).any() else np.nan
    return np.where(np.isinf(low), np.nan, np.where(low == high, low, differing))
