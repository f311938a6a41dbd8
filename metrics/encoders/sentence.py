"""Sentence embeddings, each text embedded once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from metrics.encoders import transformer
from metrics.encoders.pooling import Pooling, pooling_of
from metrics.encoders.vector_cache import VectorCache
from metrics.weights import local, minilm

KEPT_BYTES = 64 * 2**20
"""About 35,000 embeddings of MiniLM."""


class SentenceEncoder:
    """Embeddings as sentence-transformers computes them (Reimers and Gurevych 2019).

    Equal texts are embedded once, the texts used last are kept, batches hold texts of like
    length. A text longer than the model's limit (MiniLM: 256 pieces) is cut off there. The model
    loads at the first text.

    Parameters
    ----------
    model
        ``minilm``, or a name that the administrator lists.
    device, precision
        ``cpu`` or ``cuda``; ``float32`` or, on a GPU, ``float16``.
    kept_bytes
        What kept texts and embeddings may take.

    Raises
    ------
    Unavailable
        From all that loads the model: if it is not on this machine, or of an unknown kind.

    Examples
    --------
    >>> SentenceEncoder().encode(["A text.", "Another."]).shape
    (2, 384)
    """

    def __init__(
        self,
        model: str = minilm.NAME,
        *,
        device: str = "cpu",
        precision: str = "float32",
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        self.name = model
        self.device = device
        self.precision = precision
        self.kept = VectorCache(kept_bytes)

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return texts × size; of unit length where the model says so, as MiniLM does."""
        different = dict.fromkeys(texts)
        vectors = self.kept.found(different)
        new = [text for text in different if text not in vectors]
        computed = self._computed(new)
        self.kept.keep(computed)
        vectors |= computed
        if not texts:
            return np.empty((0, self.size), dtype=np.float32)
        return np.stack([vectors[text] for text in texts])

    @property
    def size(self) -> int:
        """Length of an embedding."""
        return int(self._transformer.model.config.hidden_size)

    def _computed(self, texts: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        found: dict[str, npt.NDArray[np.float32]] = {}
        for batch in self._transformer.encoded(texts, most_pieces=self._pooling.most_pieces):
            pooled = self._pooling(batch.states, batch.mask).cpu().numpy()
            # Copies: a row of the batch would keep the whole batch in memory.
            found.update((texts[row], pooled[place].copy()) for place, row in enumerate(batch.rows))
        return found

    @cached_property
    def _transformer(self) -> transformer.Transformer:
        return transformer.load(self.name, self.device, self.precision)

    @cached_property
    def _pooling(self) -> Pooling:
        return pooling_of(local.folder(self.name), self.name)


@lru_cache(maxsize=2)
def sentence_encoder(
    model: str = minilm.NAME, device: str = "cpu", precision: str = "float32"
) -> SentenceEncoder:
    """Return the encoder that all metrics of this process share, and so its embeddings."""
    return SentenceEncoder(model, device=device, precision=precision)
