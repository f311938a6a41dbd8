"""Transformer encoders of this machine: texts to hidden states, in batches by length."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from metrics.language_models.batching import by_length, padded
from metrics.scorers.scorer import Unavailable
from metrics.weights import local
from metrics.weights.hashing import fingerprint
from metrics.weights.loading import loading, read_pretrained

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
    from transformers import AutoModel, AutoTokenizer

    check_device(device, precision)
    folder = local.folder(name)
    with loading(name, "an encoder"):
        tokenizer = read_pretrained(AutoTokenizer, folder)
        model: Any = read_pretrained(AutoModel, folder, dtype=getattr(torch, precision))
    return Transformer(model.to(device), tokenizer, device)


def check_device(device: str, precision: str) -> None:
    """Raise `Unavailable` if nothing here computes so."""
    import torch

    if precision == "float16" and device == "cpu":
        raise Unavailable("half precision is for GPUs: choose device cuda or precision float32")
    if device == "cuda" and not torch.cuda.is_available():
        raise Unavailable("PyTorch finds no GPU here: choose device cpu")
