"""Metrics of the surface: copies, lengths, edits."""

from __future__ import annotations

import numpy as np

from metrics.scorers.scorer import Scorer, Scores, Texts
from metrics.scorers.spec import MetricSpec


class ExactMatch(Scorer):
    """1 where the output equals one of the texts it is compared with, else 0."""

    spec = MetricSpec(
        key="exact-match",
        title="Exact match",
        aspect="content",
        orientation="descriptive",
        formula="1 if the output equals the source or a reference after trimming outer white "
        "space, else 0.",
        range="0 or 1",
        distrust="Against the source it is the copy rate: a system that changes nothing has 1.",
        citation="Rajpurkar et al. 2016, without their removal of articles and signs.",
        comparisons=("reference", "references", "source"),
        is_default=True,
    )

    def score(self, texts: Texts) -> Scores:
        """Compare texts as they are; see `Scorer.score`."""
        pairs = zip(texts.outputs, texts.against, strict=True)
        equal = [output.strip() in {each.strip() for each in against} for output, against in pairs]
        return Scores(np.array(equal, dtype=np.float64).reshape(-1, 1))


SCORERS = (ExactMatch,)
