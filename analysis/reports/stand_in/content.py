"""What the stand-in report holds, and what a judge with known errors says of unrated outputs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats
from analysis.data.named_metric import NamedMetric
from analysis.data.scales import scale_of
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from analysis.reports.content import OfMetrics
from analysis.stats.agreement.alternative_annotator import Verdict
from analysis.stats.results import Result
from analysis.stats.saving.known_error import corrected_share, known_error, share_of_yes
from analysis.stats.saving.prediction_powered import FEWEST_RATED, prediction_powered_mean

MOST_ANSWERS = 10
"""Points of a scale that are told apart; ratings on finer scales are no categories."""
NO_ANSWER = "no output of this system has one commonest rating"


@dataclass(frozen=True)
class AnswerShare:
    """How frequent an answer is among the outputs of a system.

    Parameters
    ----------
    name
        Of the judge.
    answer, system
    rated, unrated, undecided
        Outputs of this system with a commonest rating, with none, and with several.
    sensitivity, specificity
        Of the judge for this answer against all others, over all systems.
    results
        ``rated``: the share by ratings, ``judge``: the judge's share of unrated outputs,
        ``corrected``: that after Rogan and Gladen.
    """

    COLUMNS: ClassVar[Mapping[str, str]] = {"metric": "name"}
    name: str
    answer: float
    system: str
    rated: int
    unrated: int
    undecided: int
    sensitivity: Result
    specificity: Result
    results: Mapping[str, Result]


def commonest(ratings: Floats) -> Floats:
    """Return the answer that most raters gave, NaN where none or several are the commonest.

    Parameters
    ----------
    ratings : ndarray, shape (segments, systems, raters)

    Examples
    --------
    >>> commonest(np.array([[[1.0, 1.0, 2.0], [1.0, 2.0, np.nan]]])).tolist()
    [[1.0, nan]]
    """
    answers = np.unique(ratings[np.isfinite(ratings)])
    if not answers.size:
        return np.full(ratings.shape[:2], np.nan)
    counts = np.stack([(ratings == answer).sum(axis=2) for answer in answers])
    most = counts.max(axis=0)
    alone = (most > 0) & ((counts == most).sum(axis=0) == 1)
    return np.where(alone, answers[counts.argmax(axis=0)], np.nan)


def answer_shares(
    name: str, systems: Sequence[str], ratings: Floats, judged: Floats, points: Sequence[float]
) -> Iterator[AnswerShare]:
    """Yield the share of every answer in every system that has outputs nobody rated.

    Each answer is corrected against all others together, so that the shares of a system need not
    sum to one.

    Parameters
    ----------
    name, systems
    ratings : ndarray, shape (segments, systems, raters)
    judged : ndarray, shape (segments, systems)
        The judge's answers on the raters' scale.
    points
        The answers that there are.
    """
    if not 1 < len(points) <= MOST_ANSWERS:
        return
    truth, is_judged = commonest(ratings), np.isfinite(judged)
    is_rated = np.isfinite(ratings).any(axis=2)
    both, unrated = np.isfinite(truth) & is_judged, ~is_rated & is_judged
    undecided = (is_rated & ~np.isfinite(truth)).sum(axis=0)
    for answer in points:
        over_all = known_error(truth[both] == answer, judged[both] == answer, ())
        for place in np.flatnonzero(unrated.any(axis=0)).tolist():
            more, own = unrated[:, place], truth[np.isfinite(truth[:, place]), place]
            apparent = known_error((), (), judged[more, place] == answer).apparent
            corrected = corrected_share(apparent, over_all.sensitivity, over_all.specificity)
            by_ratings = share_of_yes(own == answer, "rated-share", NO_ANSWER)
            yield AnswerShare(
                name,
                float(answer),
                systems[place],
                int(own.size),
                int(more.sum()),
                int(undecided[place]),
                over_all.sensitivity,
                over_all.specificity,
                {"rated": by_ratings, "judge": apparent, "corrected": corrected},
            )


SHARE, MEAN, DIFFERENCE = "share", "mean", "difference"
TOLD = ("rated", "judge", "corrected", "powered")
MOST_COMPARED = 12
"""Systems of which each pair is compared."""


@dataclass(frozen=True)
class ErrorOfJudge:
    """How often a judge is right about outputs that are rated at or above the cut, and below."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"metric": "name"}
    name: str
    rated: int
    sensitivity: Result
    specificity: Result


@dataclass(frozen=True)
class ToldByJudge:
    """A share or mean of a system, or the difference of two, with the results of `TOLD`.

    `rated` rests on the ratings alone, `judge` on the judge's word alone; `corrected` is after
    Rogan and Gladen, of shares only; `powered` is prediction-powered.
    """

    COLUMNS: ClassVar[Mapping[str, str]] = {"metric": "name"}
    name: str
    of: str
    system: str
    unrated: int
    results: Mapping[str, Result]


def cut_of(data: StudyData, question: Question, aspect: str, human: Floats) -> float | None:
    """Return from which rating on an output counts: as asked, else from the middle of the scale.

    Without a known scale it is the median rating; None where nothing is rated.
    """
    if question.cut is not None:
        return question.cut
    scale = scale_of(data, aspect)
    if scale.known:
        return (scale.low + scale.high) / 2
    known = human[np.isfinite(human)]
    return float(np.median(known)) if known.size else None


@dataclass(frozen=True)
class JudgedAndRated:
    """A judge's answers on the raters' scale beside their means, segments × systems."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"metric": "name"}
    name: str
    systems: Sequence[str]
    human: Floats
    judged: Floats
    cut: float

    @property
    def _both(self) -> NDArray[np.bool_]:
        return np.isfinite(self.human) & np.isfinite(self.judged)

    @property
    def _unrated(self) -> NDArray[np.bool_]:
        return ~np.isfinite(self.human) & np.isfinite(self.judged)

    def error(self) -> ErrorOfJudge:
        """Return how often the judge is right, over all systems."""
        both = self._both
        found = known_error(self.human[both] >= self.cut, self.judged[both] >= self.cut, ())
        return ErrorOfJudge(self.name, int(both.sum()), found.sensitivity, found.specificity)

    def told(self, error: ErrorOfJudge) -> Iterator[ToldByJudge]:
        """Yield what unrated outputs add, of each system that has some."""
        for place, system in enumerate(self.systems):
            rated, unrated = self._both[:, place], self._unrated[:, place]
            if not unrated.any():
                continue
            human, judged = self.human[rated, place], self.judged[rated, place]
            more = self.judged[unrated, place]
            apparent = known_error((), (), more >= self.cut).apparent
            corrected = corrected_share(apparent, error.sensitivity, error.specificity)
            shares = _powered(*(each >= self.cut for each in (human, judged, more)))
            if shares:
                yield self._told(
                    SHARE, system, more, shares | {"judge": apparent, "corrected": corrected}
                )
            if means := _powered(human, judged, more):
                yield self._told(MEAN, system, more, means)
        if len(self.systems) <= MOST_COMPARED:
            yield from self._differences()

    def _differences(self) -> Iterator[ToldByJudge]:
        for one, other in combinations(range(len(self.systems)), 2):
            human, judged = (each[:, one] - each[:, other] for each in (self.human, self.judged))
            rated = np.isfinite(human) & np.isfinite(judged)
            more = judged[np.isfinite(judged) & ~np.isfinite(human)]
            found = _powered(human[rated], judged[rated], more)
            if more.size and found:
                pair = f"{self.systems[one]} − {self.systems[other]}"
                yield self._told(DIFFERENCE, pair, more, found)

    def _told(
        self, of: str, system: str, more: Floats, results: Mapping[str, Result]
    ) -> ToldByJudge:
        return ToldByJudge(self.name, of, system, int(more.size), results)


def _powered(human: Floats, judged: Floats, more: Floats) -> dict[str, Result]:
    """Return the mean of ratings alone and the prediction-powered one; nothing of too few."""
    if human.size < FEWEST_RATED:
        return {}
    found = prediction_powered_mean(human, judged, more, clipped=False)
    return {"rated": found.classical, "powered": found.powered}


RESULTS = ("winning-rate", "advantage", "severity", "spread", "agreement", "alpha-with")
Answers = Literal["scale", "choices", "categories"]
"""Numbers, choices between two texts, or words about one; only numbers are nearer or farther."""


@dataclass(frozen=True)
class BesideRater:
    """A candidate beside one rater; see `analysis.stats.agreement.alternative_annotator`."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"outputs": "items"}
    rater: str
    items: int
    judge_as_good: float
    rater_as_good: float
    p_value: float | None
    holds: bool
    falls_short: bool

    @property
    def outcome(self) -> str:
        """What the test says of the candidate."""
        return "holds its own" if self.holds else "falls short" if self.falls_short else "not shown"


@dataclass(frozen=True, kw_only=True)
class Candidate(NamedMetric):
    """A judge or metric with the results of `RESULTS`, of answers without numbers some of them.

    `fitted` says that a line gave its scale, `prompts` how many a judge was asked with.
    """

    COLUMNS: ClassVar[Mapping[str, str]] = {"fitted_line": "fitted"}
    fitted: bool
    verdict: Verdict
    outputs_needed: int | None
    results: Mapping[str, Result]
    beside: tuple[BesideRater, ...]
    prompts: int = 1


@dataclass(frozen=True)
class Person:
    """A rater tested in the same way among the other raters."""

    rater: str
    verdict: Verdict
    results: Mapping[str, Result]


@dataclass(frozen=True)
class Part:
    """A candidate in one system or direction."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"divided_by": "of", "metric": "name"}
    of: str
    part: str
    name: str
    verdict: Verdict
    results: Mapping[str, Result]


@dataclass(frozen=True, kw_only=True)
class StandInReport(OfMetrics):
    """Candidates of an aspect, the raters as their yardstick, and candidates in parts."""

    answered_by: Answers = "scale"
    epsilon: float
    raters: int
    alpha: Result
    rows: tuple[Candidate, ...]
    people: tuple[Person, ...]
    parts: tuple[Part, ...]
    reason: str = ""
    cut: float | None = None
    errors: tuple[ErrorOfJudge, ...] = ()
    told: tuple[ToldByJudge, ...] = ()
    answers: tuple[AnswerShare, ...] = ()
