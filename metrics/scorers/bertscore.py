"""BERTScore: word pieces of two texts, matched by their vectors in context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from metrics.encoders.tokens import TokenEncoder, TokenVectors, token_encoder
from metrics.scorers.each_reference import over_references
from metrics.scorers.encoders import DEVICE, LIBRARIES, MODEL, PRECISION
from metrics.scorers.read_together import ReadTogetherScorer
from metrics.scorers.scorer import Floats, StudyDocuments, Unavailable
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
        summary="How well the words of two texts match in meaning, by contextual embeddings "
        "of a language model.",
        aspect="content",
        orientation="higher",
        formula="P: mean over the output's pieces of the highest cosine with a piece of the "
        "compared text; R: the same from the compared text; F = 2PR/(P + R). Not rescaled. Pieces "
        "that begin and end a text may be matched but are not averaged over. With idf the means "
        "are weighted by ln((N + 1)/(n + 1)), where n of the N references of the study (of its "
        "sources, where it has none) hold the piece.",
        range="−1 to 1; in practice 0.2 to 1, depending on model and layer",
        distrust="Values of different models or layers are not on one scale. The default model is "
        "small: published values used larger ones, which the administrator lists. Against the "
        "source it rewards copying.",
        citation="Zhang et al. 2020.",
        fields=("p", "r", "f"),
        comparisons=("references", "reference", "source"),
        parameters=(
            MODEL,
            Parameter(
                "layer", 6, "Layer whose states are compared; MiniLM has 6.", minimum=1, maximum=200
            ),
            Parameter(
                "idf",
                False,
                "Whether pieces weigh the more the fewer references of the study hold them; a "
                "placeholder of masked texts, which none holds, then weighs the most.",
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
        return {text: found for text, found in encoded.items() if self._weights(found).any()}

    def fault(self, text: str) -> str:
        """Return that all pieces are special ones, or in every reference."""
        [found] = self._encoder.encode([text]).values()
        return (
            "only word pieces that every reference has" if found.counts.any() else "no word piece"
        )

    def pair(self, output: TokenVectors, compared: TokenVectors) -> Sequence[float]:
        """Return precision, recall and F."""
        similarity = output.vectors @ compared.vectors.T
        precision = self._mean(similarity.max(axis=1), output)
        recall = self._mean(similarity.max(axis=0), compared)
        if precision + recall == 0:
            return precision, recall, 0.0
        return precision, recall, 2 * precision * recall / (precision + recall)

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the model's files, and of the references that are counted in."""
        found = fingerprint(local.files(str(self.parameters["model"])))
        return found | ({"idf": self._documents.sha256} if self.parameters["idf"] else {})

    def _mean(self, highest: npt.NDArray[np.float32], of: TokenVectors) -> float:
        counts = of.counts
        if self.parameters["idf"]:
            return float(np.average(highest[counts], weights=self._weights(of)))
        return float(np.mean(highest[counts], dtype=np.float64))

    def _weights(self, of: TokenVectors) -> Floats:
        """Return the weights of the pieces that count."""
        ids = of.ids[of.counts]
        return self._idf[ids] if self.parameters["idf"] else np.ones(len(ids))

    @property
    def _documents(self) -> StudyDocuments:
        if self.resources.documents is None:
            raise Unavailable("idf counts in the references of a study: score a study with it")
        return self.resources.documents

    @cached_property
    def _idf(self) -> Floats:
        """Inverse document frequency of each word piece, by its id."""
        documents = self._documents.texts
        holding = np.zeros(self._encoder.vocabulary, dtype=np.int64)
        for pieces in self._encoder.different_pieces(documents):
            holding[list(pieces)] += 1
        return np.log((len(documents) + 1) / (holding + 1))

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
