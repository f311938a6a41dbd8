"""What metrics of sacreBLEU share: its counts, kept so that corpora can be scored."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from metrics.scorers.comparing import ComparingScorer
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Comparison, Library, Parameter

COMPARISONS: tuple[Comparison, ...] = ("references", "reference", "source")
SACREBLEU = Library("sacrebleu")
LOWERCASE = Parameter("lowercase", False, "Compare texts in lower case.")
SCALE = Parameter(
    "scale", "1", "1 gives scores from 0 to 1; 100 gives the usual points.", choices=("1", "100")
)


class SacrebleuScorer(ComparingScorer[dict[str, Any]]):
    """Counts with sacreBLEU, reading references once for all outputs of a segment.

    sacreBLEU's public methods count a reference anew for each output and do not give chrF's
    counts away; the steps that they consist of are called here one by one.
    """

    @abstractmethod
    def build(self) -> Any:
        """Return the metric of sacreBLEU with this scorer's parameters."""

    @abstractmethod
    def points(self, counts: Sequence[float], *, of_corpus: bool) -> float:
        """Return the score from 0 to 100 of one text or of a sum over texts."""

    @cached_property
    def library(self) -> Any:
        """The metric of sacreBLEU, built once."""
        return self.build()

    def prepare(self, against: tuple[str, ...]) -> dict[str, Any] | None:
        """Return what sacreBLEU reads of all texts that are not blank."""
        references = [self.library._preprocess_segment(text) for text in against]
        kept = [text for text in references if text.strip()]
        return self.library._extract_reference_info(kept) if kept else None

    def compare(self, output: str, prepared: dict[str, Any]) -> tuple[float, Sequence[float]]:
        """Return the sentence score, and the counts; those of an empty output too."""
        text = self.library._preprocess_segment(output)
        counts = self.library._compute_segment_statistics(text, prepared)
        return self.points(counts, of_corpus=False) / self._unit, counts

    def corpus_score(self, statistics: Floats) -> float:
        """Return the corpus score, exactly as sacreBLEU computes it.

        Parameters
        ----------
        statistics : ndarray, shape (texts, statistics) or (statistics,)
            Of each text, or their sum. Missing ones are left out.

        Returns
        -------
        float
            NaN if no text was compared with anything.
        """
        summed = np.nansum(np.atleast_2d(statistics), axis=0)
        if not summed.any():
            return math.nan
        return self.points(summed.tolist(), of_corpus=True) / self._unit

    @abstractmethod
    def corpus_points(self, counts: Floats) -> Floats:
        """Return `points` of many corpora at once, shape (corpora, statistics) to (corpora,)."""

    def corpus_scores(self, sums: Floats) -> Floats:
        """Return corpus scores from sums of counts; see `Scorer.corpus_scores`."""
        counts = sums.reshape(-1, sums.shape[-1])
        scores = np.where(counts.any(axis=1), self.corpus_points(counts) / self._unit, np.nan)
        return np.asarray(scores.reshape(sums.shape[:-1]), dtype=np.float64)

    @cached_property
    def _unit(self) -> float:
        return 100 / float(str(self.parameters["scale"]))
