"""Vectors of a text's word pieces in context."""

from __future__ import annotations

from collections.abc import Sequence
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


class TokenVectors(NamedTuple):
    """The pieces of one text.

    Attributes
    ----------
    vectors : ndarray, shape (pieces, size)
        Of unit length, special pieces included.
    counts : ndarray of bool, shape (pieces,)
        False for the special pieces that begin and end a text.
    """

    vectors: npt.NDArray[np.float32]
    counts: npt.NDArray[np.bool_]


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
        # The last column says which pieces count, so that one array is kept for a text.
        return {
            text: TokenVectors(array[:, :-1], array[:, -1] > 0)
            for text, array in (packed | computed).items()
        }

    def _computed(self, texts: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        import torch

        special = self._special
        # The last layer's states are taken as the model returns them, whatever follows it.
        layer = None if self.layer == self._transformer.layers else self.layer
        found = {}
        for batch in self._transformer.encoded(texts, layer=layer):
            vectors = torch.nn.functional.normalize(batch.states.float(), dim=-1)
            counts = ~torch.isin(batch.ids, special.to(batch.ids.device))
            packed = torch.cat([vectors, counts.unsqueeze(-1).float()], dim=-1).cpu().numpy()
            lengths = batch.mask.sum(dim=1).tolist()
            for place, row in enumerate(batch.rows):
                found[texts[row]] = packed[place, : lengths[place]].copy()
        return found

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
def token_encoder(
    model: str = minilm.NAME, layer: int = 6, device: str = "cpu", precision: str = "float32"
) -> TokenEncoder:
    """Return the encoder that all metrics of this process share, and so its vectors."""
    return TokenEncoder(model, layer, device=device, precision=precision)
