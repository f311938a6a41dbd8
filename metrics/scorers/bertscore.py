"""BERTScore: word pieces of two texts, matched by their vectors in context."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from metrics.encoders.tokens import TokenVectors
from metrics.scorers.each_reference import over_references
from metrics.scorers.encoders import DEVICE, LIBRARIES, MODEL, PRECISION
from metrics.scorers.read_together import bounded
from metrics.scorers.spec import MetricSpec
from metrics.scorers.word_pieces import DISTRUST, IDF, LAYER, WEIGHING, WordPieceScorer
from metrics.weights import minilm


class BertScore(WordPieceScorer):
    """Precision, recall and F of greedily matched word pieces."""

    spec = MetricSpec(
        key="bertscore",
        edge_cases=("0", "0", "undefined", "1", "1"),
        title="BERTScore",
        summary="How well the words of two texts match in meaning, by contextual embeddings "
        "of a language model.",
        aspect="content",
        orientation="higher",
        formula="P: mean over the output's pieces of the highest cosine with a piece of the "
        "compared text; R: the same from the compared text; F = 2PR/(P + R). Not rescaled. Pieces "
        "that begin and end a text may be matched but are not averaged over. "
        f"{WEIGHING.format(weighed='the means are weighted')}",
        range="−1 to 1; in practice 0.2 to 1, depending on model and layer",
        distrust=DISTRUST,
        citation="Zhang et al. 2020.",
        fields=("p", "r", "f"),
        comparisons=("references", "reference", "source"),
        parameters=(MODEL, LAYER, IDF, over_references("max", "mean"), DEVICE, PRECISION),
        libraries=LIBRARIES,
        weights=(minilm.NAME,),
        is_default=True,
        revision=2,
    )

    of_blank_output = (0.0, 0.0, 0.0)

    def pair(self, output: TokenVectors, compared: TokenVectors) -> Sequence[float]:
        """Return precision, recall and F."""
        similarity = output.vectors @ compared.vectors.T
        precision = self._mean(similarity.max(axis=1), output)
        recall = self._mean(similarity.max(axis=0), compared)
        if precision + recall == 0:
            return precision, recall, 0.0
        return precision, recall, 2 * precision * recall / (precision + recall)

    def _mean(self, highest: npt.NDArray[np.float32], of: TokenVectors) -> float:
        counts = of.counts
        if self.parameters["idf"]:
            mean = float(np.average(highest[counts], weights=self.weights(of)))
        else:
            mean = float(np.mean(highest[counts], dtype=np.float64))
        return bounded(mean)


SCORERS = (BertScore,)
