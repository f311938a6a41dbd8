"""BERTScore: word pieces of two texts, matched by their vectors in context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from metrics.encoders.tokens import TokenEncoder, TokenVectors, token_encoder
from metrics.scorers.each_reference import over_references
from metrics.scorers.encoders import DEVICE, LIBRARIES, MODEL, PRECISION
from metrics.scorers.read_together import ReadTogetherScorer
from metrics.scorers.spec import MetricSpec, Parameter
from metrics.weights import local, minilm
from metrics.weights.hashing import fingerprint


class BertScore(ReadTogetherScorer[TokenVectors]):
    """Precision, recall and F of greedily matched word pieces."""

    # Vectors of all their pieces are in memory: up to 0.8 MB a text of MiniLM.
    rows_together = 128

    spec = MetricSpec(
        key="bertscore",
        title="BERTScore",
        aspect="content",
        orientation="higher",
        formula="P: mean over the output's pieces of the highest cosine with a piece of the "
        "compared text; R: the same from the compared text; F = 2PR/(P + R). Not weighted by "
        "inverse document frequency, not rescaled. Pieces that begin and end a text may be "
        "matched but are not averaged over.",
        range="−1 to 1; in practice 0.2 to 1, depending on model and layer",
        distrust="Values of different models or layers are not on one scale. The default model is "
        "small: published values used larger ones, which are taken by their path. Against the "
        "source it rewards copying.",
        citation="Zhang et al. 2020.",
        fields=("p", "r", "f"),
        comparisons=("references", "reference", "source"),
        parameters=(
            MODEL,
            Parameter(
                "layer",
                6,
                "Layer whose states are compared; MiniLM has 6.",
                minimum=1,
                maximum=200,
            ),
            over_references("max", "mean"),
            DEVICE,
            PRECISION,
        ),
        libraries=LIBRARIES,
        weights=(minilm.NAME,),
        is_default=True,
    )

    def read(self, texts: Sequence[str]) -> Mapping[str, TokenVectors]:
        """Return the pieces of texts that have some besides the special ones."""
        encoded = self._encoder.encode(texts)
        return {text: found for text, found in encoded.items() if found.counts.any()}

    def fault(self, text: str) -> str:
        """Return that all pieces are special ones."""
        return "no word piece"

    def pair(self, output: TokenVectors, compared: TokenVectors) -> Sequence[float]:
        """Return precision, recall and F."""
        similarity = output.vectors @ compared.vectors.T
        precision = float(np.mean(similarity.max(axis=1)[output.counts], dtype=np.float64))
        recall = float(np.mean(similarity.max(axis=0)[compared.counts], dtype=np.float64))
        if precision + recall == 0:
            return precision, recall, 0.0
        return precision, recall, 2 * precision * recall / (precision + recall)

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the model's files."""
        return fingerprint(local.files(str(self.parameters["model"])))

    @cached_property
    def _encoder(self) -> TokenEncoder:
        chosen = self.parameters
        return token_encoder(
            str(chosen["model"]),
            int(chosen["layer"]),
            str(chosen["device"]),
            str(chosen["precision"]),
        )


SCORERS = (BertScore,)
