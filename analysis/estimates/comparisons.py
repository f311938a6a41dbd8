"""A family of paired tests as a report holds it: adjusted, with rank ranges and clusters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.filter.question import Question
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.permutation import (
    Permutation,
    adjusted_p_values,
    benjamini_hochberg,
    holm,
)
from analysis.stats.results import Estimate, Interval, Result
from analysis.stats.systems.rank_ranges import RankRange, rank_ranges, significantly_better

LEVEL = 0.05
"""Adjusted p-values up to this count as a difference detected."""
DRAWS_PER_PAIR = 20
"""So that the smallest p-value, times the number of pairs, is just below the level."""
CORRECTIONS = {"holm": holm, "benjamini-hochberg": benjamini_hochberg}


@dataclass(frozen=True, slots=True)
class Compared:
    """Two of several, and what each test says of them.

    Parameters
    ----------
    first, second : int
        Positions in the report's order.
    tests : mapping
        Name of the test to its result, whose value is the first less the second.
    """

    first: int
    second: int
    tests: Mapping[str, Result]


@dataclass(frozen=True, slots=True)
class PairTests(Compared):
    """Two of several, with tests that are adjusted for all others.

    Parameters
    ----------
    adjusted : mapping
        Name of the test to its p-value by each correction; None where undefined.
    p_value : float, optional
        That of the test and correction asked for.
    detected : bool
        Whether it says that the two differ.
    equivalent : bool
        Whether an interval of the difference lies within the margin.
    """

    adjusted: Mapping[str, Mapping[str, float | None]]
    p_value: float | None
    detected: bool
    equivalent: bool

    @property
    def interval(self) -> Interval | None:
        """Of the difference, None where no test gives one."""
        return next(filter(None, (result.interval for result in self.tests.values())), None)

    @property
    def difference(self) -> float:
        """The first's value less the second's, from whichever test has it; else 0."""
        values = (result.value for result in self.tests.values())
        return next((value for value in values if value is not None), 0.0)


@dataclass(frozen=True, slots=True)
class LeftOutSystem:
    """A system that is not compared, and why."""

    system: str
    reason: str


def bootstrap_of(question: Question) -> Bootstrap:
    """Return how a question's report resamples."""
    return Bootstrap(question.resamples, question.seed)


def permutation_of(question: Question, pairs: int) -> Permutation:
    """Return how a question's report permutes.

    A large family takes more draws than were asked for: with k draws no p-value is below
    1 / (k + 1), and after correction for so many pairs none could stay below the level.
    """
    return Permutation(max(question.resamples, DRAWS_PER_PAIR * pairs), question.seed)


def family(
    pairs: Sequence[Compared], values: Sequence[float], question: Question
) -> tuple[tuple[PairTests, ...], list[RankRange]]:
    """Adjust a family's p-values and say who is better than whom.

    Parameters
    ----------
    pairs
        Every two of those compared.
    values
        By which they are ranked, higher being better.
    question
        Names the test and the correction on which ranks rest, and the margin of equivalence.

    Returns
    -------
    pairs : tuple of PairTests
    ranges : list of RankRange
        In the order of `values`.
    """
    adjusted = {
        test: {
            name: adjusted_p_values([pair.tests[test] for pair in pairs], correct)
            for name, correct in CORRECTIONS.items()
        }
        for test in (pairs[0].tests if pairs else ())
    }
    rows = []
    size = len(values)
    gaps, p_values = np.full((size, size), np.nan), np.full((size, size), np.nan)
    for index, pair in enumerate(pairs):
        own = {
            test: {name: p_values[index] for name, p_values in of_test.items()}
            for test, of_test in adjusted.items()
        }
        decided = own[question.test][question.correction]
        result = pair.tests[question.test]
        if isinstance(result, Estimate) and decided is not None:
            here, there = (pair.first, pair.second), (pair.second, pair.first)
            gaps[here], gaps[there] = result.value, -result.value
            p_values[here] = p_values[there] = decided
        rows.append(
            PairTests(
                pair.first,
                pair.second,
                pair.tests,
                own,
                p_value=decided,
                detected=decided is not None and decided <= LEVEL,
                equivalent=_equivalent(pair, question.margin),
            )
        )
    # What no test compared with any other has no place among them.
    compared = np.isfinite(p_values).any(axis=0) if rows else np.ones(size, dtype=np.bool_)
    ranked = np.where(compared, values, np.nan)
    ranges = rank_ranges(ranked, significantly_better(gaps, p_values, level=LEVEL))
    unranked = [RankRange(int(place), None, None, None) for place in np.flatnonzero(~compared)]
    by_place = {each.index: each for each in (*unranked, *ranges)}
    return tuple(rows), [by_place[place] for place in range(size)]


def _equivalent(pair: Compared, margin: float) -> bool:
    """Whether an interval of the difference lies within the margin; never without a margin."""
    intervals = [t.interval for t in pair.tests.values() if isinstance(t, Estimate) and t.interval]
    return margin > 0 and any(-margin < i.low and i.high < margin for i in intervals[:1])
