"""MoverScore: how far the n-grams of one text must move, in context, to become another's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrics.encoders.tokens import TokenVectors
from metrics.scorers.each_reference import over_references
from metrics.scorers.encoders import DEVICE, LIBRARIES, MODEL, PRECISION
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Library, MetricSpec, Parameter
from metrics.scorers.word_movers import distances, earth_movers_distance
from metrics.scorers.word_pieces import DISTRUST, IDF, LAYER, WEIGHING, WordPieceScorer
from metrics.scorers.word_vectors import unit
from metrics.weights import minilm


class MoverScore(WordPieceScorer):
    """Earth mover's distance of n-grams, turned into a similarity."""

    spec = MetricSpec(
        key="moverscore",
        edge_cases=("undefined", "undefined", "undefined", "1", "1"),
        title="MoverScore",
        summary="How little the words of one text must move, in a space of meanings in context, "
        "to become those of the other. Unlike BERTScore, each word is used once.",
        aspect="content",
        orientation="higher",
        formula="1/(1 + D), where D is the least Σ T(i, j) · |v(i) − v(j)| over all ways T to move "
        "the n-grams of one text onto those of the other, solved exactly. The vector v of an "
        "n-gram is the weighted mean of its pieces' contextual vectors, of unit length; it weighs "
        "the sum of its pieces' weights, as a share of the text. A text of fewer than n pieces is "
        "one n-gram. Pieces that begin and end a text are left out; signs and all pieces of a word "
        "count. "
        f"{WEIGHING.format(weighed='pieces are weighted')} The paper weights by idf.",
        range="1/3 to 1; 1 where both texts have the same pieces in the same contexts",
        distrust=f"{DISTRUST} The paper took several layers of a model fine-tuned on inference; "
        "here one layer is compared.",
        citation="Zhao et al. 2019; 1/(1 + D) as in the second version of its code.",
        comparisons=("references", "reference", "source"),
        parameters=(
            MODEL,
            LAYER,
            Parameter(
                "n",
                1,
                "Word pieces of an n-gram: 1 compares single pieces, 2 pairs of neighbours.",
                minimum=1,
                maximum=10,
            ),
            IDF,
            over_references("max", "mean"),
            DEVICE,
            PRECISION,
        ),
        libraries=(*LIBRARIES, Library("POT", "neural")),
        weights=(minilm.NAME,),
    )

    def pair(self, output: TokenVectors, compared: TokenVectors) -> Sequence[float]:
        """Return the similarity."""
        sent, sent_at = self._ngrams(output)
        wanted, wanted_at = self._ngrams(compared)
        moved = earth_movers_distance(sent, wanted, distances(sent_at, wanted_at))
        return (1 / (1 + max(0.0, moved)),)

    def _ngrams(self, of: TokenVectors) -> tuple[Floats, Floats]:
        """Return shares and vectors of the n-grams that weigh something."""
        counts = of.counts
        weights, vectors = self.weights(of), of.vectors[counts].astype(np.float64)
        size = min(int(self.parameters["n"]), len(weights))
        windows = np.lib.stride_tricks.sliding_window_view(weights, size)
        masses = windows.sum(axis=1)
        means = np.zeros((len(masses), vectors.shape[1]))
        for place in range(size):
            means += windows[:, place : place + 1] * vectors[place : place + len(masses)]
        weighed = masses > 0
        # The length of a vector is set to 1, so that its weights need not be divided by their sum.
        return masses[weighed] / masses.sum(), unit(means[weighed])


SCORERS = (MoverScore,)
