"""What the alternative annotator test says: may a judge stand in for a rater?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from analysis.stats.results import Result

Verdict: TypeAlias = Literal["may", "may not", "cannot tell"]
ENOUGH_ANNOTATORS = 0.5
"""Winning rate from which on a judge passes."""


@dataclass(frozen=True, slots=True)
class AnnotatorComparison:
    """A judge and one annotator, each compared with the other annotators of an item.

    Parameters
    ----------
    annotator : int
        Row of the annotator in the ratings.
    items : int
        Items that both judged, each with at least one further annotator.
    judge_as_good, annotator_as_good : float
        Shares of items on which the one is at least as close to the others as the other is; a tie
        counts for both.
    p_value : float or None
        Of "the judge falls short by `epsilon` or more", one-sided; None where all differences
        equal `epsilon`.
    rejected : bool
        Whether that is rejected among all annotators: the judge holds its own.
    falls_short : bool
        Whether "the judge falls short by less" is, by the same test turned round.
    """

    annotator: int
    items: int
    judge_as_good: float
    annotator_as_good: float
    p_value: float | None
    rejected: bool
    falls_short: bool


@dataclass(frozen=True, slots=True)
class StandIn:
    """What the test says of one judge.

    Parameters
    ----------
    winning_rate : Result
        Share of annotators compared with whom the judge holds its own: ω.
    advantage : Result
        Mean share of items on which the judge is as good as an annotator: ρ.
    beside : tuple of AnnotatorComparison
        The annotators that were tested.
    items_needed : int or None
        About how many items would tell, if means and spreads stay as they are; None where no
        number would, or nothing was tested.
    """

    winning_rate: Result
    advantage: Result
    beside: tuple[AnnotatorComparison, ...]
    items_needed: int | None = None

    @property
    def verdict(self) -> Verdict:
        """Whether the judge may stand in, by the paper's rule.

        That an annotator's test does not reject shows nothing: a judge may not only where it is
        shown to fall short of so many annotators that the others cannot make up one half.
        """
        if (self.winning_rate.value or 0.0) >= ENOUGH_ANNOTATORS:
            return "may"
        short = sum(each.falls_short for each in self.beside)
        possible = len(self.beside) - short
        if short and possible < ENOUGH_ANNOTATORS * len(self.beside):
            return "may not"
        return "cannot tell"
