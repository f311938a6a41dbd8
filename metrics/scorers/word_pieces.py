"""What metrics share that compare word pieces of texts by their vectors in context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from metrics.encoders.tokens import TokenEncoder, TokenVectors, token_encoder
from metrics.scorers.read_together import ReadTogetherScorer
from metrics.scorers.scorer import Floats, StudyDocuments, Unavailable
from metrics.scorers.spec import Parameter
from metrics.weights import local
from metrics.weights.hashing import fingerprint

LAYER = Parameter(
    "layer", 6, "Layer whose states are compared; MiniLM has 6.", minimum=1, maximum=200
)
IDF = Parameter(
    "idf",
    False,
    "Whether pieces weigh the more the fewer references of the study hold them; a "
    "placeholder of masked texts, which none holds, then weighs the most.",
)
WEIGHING = (
    "With idf {weighed} by ln((N + 1)/(n + 1)), where n of the N references of the study (of its "
    "sources, where it has none) hold the piece."
)
DISTRUST = (
    "Values of different models or layers are not on one scale. The default model is "
    "small: published values used larger ones, which the administrator lists. Against the "
    "source it rewards copying."
)


class WordPieceScorer(ReadTogetherScorer[TokenVectors]):
    """Reads the pieces of texts, and what each weighs."""

    # Vectors of all their pieces are in memory: up to 0.8 MB a text of MiniLM.
    rows_together = 128

    def read(self, texts: Sequence[str]) -> Mapping[str, TokenVectors]:
        """Return the pieces of texts that have some besides the special ones."""
        encoded = self._encoder.encode(texts)
        return {text: found for text, found in encoded.items() if self.weights(found).any()}

    def fault(self, text: str) -> str:
        """Return that all pieces are special ones, or in every reference."""
        [found] = self._encoder.encode([text]).values()
        return (
            "only word pieces that every reference has" if found.counts.any() else "no word piece"
        )

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the model's files, and of the references that are counted in."""
        found = fingerprint(local.files(str(self.parameters["model"])))
        return found | ({"idf": self._documents.sha256} if self.parameters["idf"] else {})

    def weights(self, of: TokenVectors) -> Floats:
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
