"""Vectors of a text's word pieces in context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from metrics.encoders import transformer
from metrics.encoders.vector_cache import VectorCache
from metrics.scorers.scorer import Unavailable
from metrics.weights import minilm

KEPT_BYTES = 64 * 2**20
"""About 3,000 sentences of MiniLM."""
_TEXTS_AT_ONCE = 1_024


NO_ID = -1


class TokenVectors(NamedTuple):
    """The pieces of one text.

    Attributes
    ----------
    vectors : ndarray, shape (pieces, size)
        Of unit length, special pieces included.
    ids : ndarray of int, shape (pieces,)
        Of the pieces; `NO_ID` for the special ones that begin and end a text.
    """

    vectors: npt.NDArray[np.float32]
    ids: npt.NDArray[np.int64]

    @property
    def counts(self) -> npt.NDArray[np.bool_]:
        """False for the special pieces that begin and end a text."""
        return np.asarray(self.ids != NO_ID)


class TokenEncoder:
    """Hidden states of one layer, each text encoded once.

    Parameters
    ----------
    model, device, precision
        See `metrics.encoders.sentence.SentenceEncoder`.
    layer
        1 for the states above the first layer, and so on.
    kept_bytes
        What kept texts and vectors may take.
    """

    def __init__(
        self,
        model: str = minilm.NAME,
        layer: int = 6,
        *,
        device: str = "cpu",
        precision: str = "float32",
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        self.name = model
        self.layer = layer
        self.device = device
        self.precision = precision
        self.kept = VectorCache(kept_bytes)

    def encode(self, texts: Sequence[str]) -> dict[str, TokenVectors]:
        """Return the pieces of each different text, cut off at the model's limit.

        Raises
        ------
        Unavailable
            If the model is not on this machine, or has no such layer.
        """
        different = dict.fromkeys(texts)
        packed = self.kept.found(different)
        computed = self._computed([text for text in different if text not in packed])
        self.kept.keep(computed)
        # The last column has the ids, exact in these numbers, so that one array is kept for a text.
        return {
            text: TokenVectors(array[:, :-1], array[:, -1].astype(np.int64))
            for text, array in (packed | computed).items()
        }

    def different_pieces(self, texts: Sequence[str]) -> Iterator[set[int]]:
        """Yield the ids of each text's pieces, special ones aside; without encoding any.

        Raises
        ------
        Unavailable
            As `encode`.
        """
        special = set(self._special.tolist())
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            for pieces in self._transformer.pieces(texts[start : start + _TEXTS_AT_ONCE]):
                yield set(pieces) - special

    def _computed(self, texts: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        import torch

        special = self._special
        # The last layer's states are taken as the model returns them, whatever follows it.
        layer = None if self.layer == self._transformer.layers else self.layer
        found = {}
        for batch in self._transformer.encoded(texts, layer=layer):
            vectors = torch.nn.functional.normalize(batch.states.float(), dim=-1)
            is_special = torch.isin(batch.ids, special.to(batch.ids.device))
            ids = batch.ids.masked_fill(is_special, NO_ID)
            packed = torch.cat([vectors, ids.unsqueeze(-1).float()], dim=-1).cpu().numpy()
            lengths = batch.mask.sum(dim=1).tolist()
            for place, row in enumerate(batch.rows):
                found[texts[row]] = packed[place, : lengths[place]].copy()
        return found

    @property
    def vocabulary(self) -> int:
        """How many different pieces the model knows."""
        return len(self._transformer.tokenizer)

    @cached_property
    def _special(self) -> Any:
        import torch

        tokenizer = self._transformer.tokenizer
        ends = (tokenizer.cls_token_id, tokenizer.sep_token_id)
        return torch.tensor([each for each in ends if each is not None])

    @cached_property
    def _transformer(self) -> transformer.Transformer:
        loaded = transformer.load(self.name, self.device, self.precision)
        if self.layer > loaded.layers:
            raise Unavailable(
                f"model {self.name!r} has {loaded.layers} layers: choose layer {loaded.layers} "
                "or a lower one"
            )
        return loaded


@lru_cache(maxsize=2)
def token_encoder(model: str, layer: int, device: str, precision: str, /) -> TokenEncoder:
    """Return the encoder that all metrics of this process share, and so its vectors."""
    return TokenEncoder(model, layer, device=device, precision=precision)
