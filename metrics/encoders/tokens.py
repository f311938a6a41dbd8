"""Transformer encoders of this machine: texts to hidden states, and to vectors of word pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from metrics.encoders.stored_vectors import VectorCache
from metrics.language_models.batching import by_length, padded
from metrics.scorers.scorer import Unavailable
from metrics.weights import local, minilm
from metrics.weights.files import fingerprint
from metrics.weights.loading import pretrained

MOST_TOKENS = {"cpu": 512, "cuda": 32_768}
"""Tokens of a batch: on a processor it is filled, if need be with what is thrown away."""
_NO_LIMIT = 1_000_000
"""Tokenizers without a limit of their own say a number beyond this."""


class Encoded(NamedTuple):
    """A batch of texts.

    Attributes
    ----------
    rows
        Which texts.
    ids, mask : Tensor, shape (texts, pieces)
        Word pieces, special ones included; 1 for a piece and 0 for padding.
    states : Tensor, shape (texts, pieces, size)
        Hidden states of the layer that was asked for, in the model's precision.
    """

    rows: list[int]
    ids: Any
    mask: Any
    states: Any


class Transformer:
    """A model of transformers and its tokenizer.

    Parameters
    ----------
    model, tokenizer
        Of transformers; the model on its device.
    device
        ``cpu`` or ``cuda``.
    """

    def __init__(self, model: Any, tokenizer: Any, device: str) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.device = device
        self.layers = int(model.config.num_hidden_layers)
        own_limit = int(tokenizer.model_max_length)
        positions = getattr(model.config, "max_position_embeddings", _NO_LIMIT)
        self.most_pieces = own_limit if own_limit < _NO_LIMIT else int(positions)

    def encoded(self, texts: Sequence[str], *, layer: int | None = None) -> Iterator[Encoded]:
        """Encode texts, the longest first.

        Parameters
        ----------
        texts
            What is beyond the model's limit of pieces is cut off.
        layer
            Whose states are returned, 0 for the embeddings below the first; None: the last.
        """
        import torch

        if not texts:
            return
        pieces = self.pieces(texts)
        padding = self.tokenizer.pad_token_id or 0
        batches = by_length(
            [len(each) for each in pieces], MOST_TOKENS[self.device], alike=self.device == "cpu"
        )
        for rows in batches:
            ids, mask = padded([pieces[row] for row in rows], padding, self.most_pieces)
            ids, mask = ids.to(self.device), mask.to(self.device)
            with torch.inference_mode():
                found = self.model(
                    input_ids=ids, attention_mask=mask, output_hidden_states=layer is not None
                )
            states = found.last_hidden_state if layer is None else found.hidden_states[layer]
            yield Encoded(rows, ids, mask, states)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text's word pieces, special ones included, up to the limit."""
        found: list[list[int]] = self.tokenizer(
            [without_surrogates(text) for text in texts],
            truncation=True,
            max_length=self.most_pieces,
        )["input_ids"]
        return found


def without_surrogates(text: str) -> str:
    """Return a text without halves of characters, which tokenizers refuse."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def load(name: str, device: str = "cpu", precision: str = "float32") -> Transformer:
    """Load a model, or return it if it is one of the last two.

    Parameters
    ----------
    name
        See `metrics.weights.local.folder`.
    device
        ``cpu`` or ``cuda``.
    precision
        ``float32``, ``bfloat16`` or, on a GPU, ``float16``.

    Raises
    ------
    Unavailable
        If the model or the device is not on this machine, or the model is no encoder.
    """
    hashes = json.dumps(fingerprint(local.files(name)), sort_keys=True)
    return _load(name, device, precision, hashes)


@lru_cache(maxsize=2)
def _load(name: str, device: str, precision: str, hashes: str) -> Transformer:
    import torch

    check_device(device, precision)
    numbers = getattr(torch, precision)
    folder = local.folder(name)
    model, tokenizer = pretrained("AutoModel", folder, name, "an encoder", dtype=numbers)
    return Transformer(model.to(device), tokenizer, device)


def check_device(device: str, precision: str) -> None:
    """Raise `Unavailable` if nothing here computes so."""
    import torch

    if precision == "float16" and device == "cpu":
        raise Unavailable("half precision is for GPUs: choose device cuda or precision float32")
    if device == "cuda" and not torch.cuda.is_available():
        raise Unavailable("PyTorch finds no GPU here: choose device cpu")


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
    """

    def __init__(
        self,
        model: str = minilm.NAME,
        layer: int = 6,
        *,
        device: str = "cpu",
        precision: str = "float32",
    ) -> None:
        self.name = model
        self.layer = layer
        self.device = device
        self.precision = precision
        self.kept = VectorCache(KEPT_BYTES)

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
    def _transformer(self) -> Transformer:
        loaded = load(self.name, self.device, self.precision)
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
