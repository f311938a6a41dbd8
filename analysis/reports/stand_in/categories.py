"""Shares of single answers, such as "3", told by judges whose confusions with others are known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.data.arrays import Floats
from analysis.stats.results import Result
from analysis.stats.saving.known_error import corrected_share, known_error, share_of_yes

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
