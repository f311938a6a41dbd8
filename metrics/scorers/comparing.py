"""Scorers that compare each output with the texts that it is compared with, all of them at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np

from metrics.scorers.scorer import Scorer, Scores, Texts

NOTHING_TO_COMPARE = "there is nothing to compare with"
EMPTY_COMPARED = "what it is compared with has no words"
EMPTY_OUTPUT = "the output has no words"
UNDEFINED = "the metric is not defined for this output"
Prepared = TypeVar("Prepared")


class ComparingScorer(Scorer, Generic[Prepared]):
    """One number a comparison; what outputs are compared with is prepared once for all of them."""

    @abstractmethod
    def prepare(self, against: tuple[str, ...]) -> Prepared | None:
        """Return what several outputs are compared with; None if there is nothing in it."""

    @abstractmethod
    def compare(self, output: str, prepared: Prepared) -> tuple[float, Sequence[float]]:
        """Return the score, NaN where it is not defined, and the output's statistics.

        An output with nothing in it has the score that the metric's library gives it.
        """

    def reason(self, output: str) -> str:
        """Return why an output whose score is NaN has none."""
        return UNDEFINED

    def score(self, texts: Texts) -> Scores:
        """Compare outputs, grouped by what they are compared with; see `Scorer.score`.

        Statistics of texts that have nothing to compare with are 0, so that sums leave them out.
        """
        values = np.full((len(texts), 1), np.nan)
        statistics = np.zeros((len(texts), len(self.spec.statistics)))
        undefined: dict[int, str] = {}
        for against, rows in rows_by_compared(texts.against).items():
            prepared = self.prepare(against)
            if prepared is None:
                reason = EMPTY_COMPARED if against else NOTHING_TO_COMPARE
                undefined.update(dict.fromkeys(rows, reason))
                continue
            for row in rows:
                values[row, 0], statistics[row] = self.compare(texts.outputs[row], prepared)
        for row in np.flatnonzero(np.isnan(values[:, 0])).tolist():
            undefined.setdefault(row, self.reason(texts.outputs[row]))
        return Scores(values, undefined, statistics)


def rows_by_compared(against: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    """Return rows by what they are compared with.

    Examples
    --------
    >>> rows_by_compared([("a",), ("b",), ("a",)])
    {('a',): [0, 2], ('b',): [1]}
    """
    rows: dict[tuple[str, ...], list[int]] = {}
    for row, texts in enumerate(against):
        rows.setdefault(texts, []).append(row)
    return rows
