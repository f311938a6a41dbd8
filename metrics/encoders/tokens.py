"""Transformer encoders of this machine: texts to vectors of word pieces."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from metrics.encoders.stored_vectors import VectorCache
from metrics.language_models.batching import padded_batches
from metrics.scorers.scorer import Unavailable
from metrics.weights import local
from metrics.weights.files import fingerprint
from metrics.weights.loading import pretrained

MOST_TOKENS = {"cpu": 512, "cuda": 32_768}
"""Tokens of a batch: on a processor it is filled, if need be with what is thrown away."""
_NO_LIMIT = 1_000_000
"""Tokenizers without a limit of their own say a number beyond this."""


def without_surrogates(text: str) -> str:
    """Return a text without halves of characters, which tokenizers refuse."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


@lru_cache(maxsize=2)
def _loaded(
    name: str, device: str, precision: str, files: tuple[tuple[str, str], ...]
) -> tuple[Any, Any]:
    """Return a model on its device and its tokenizer, anew if its files have changed."""
    import torch

    check_device(device, precision)
    numbers = getattr(torch, precision)
    folder = local.folder(name)
    model, tokenizer = pretrained("AutoModel", folder, name, "an encoder", dtype=numbers)
    return model.to(device).eval(), tokenizer


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


@dataclass(eq=False)
class TokenEncoder:
    """Hidden states of one layer, each text encoded once.

    Parameters
    ----------
    model, device, precision
        See `metrics.encoders.sentence.SentenceEncoder`.
    layer
        1 for the states above the first layer, and so on.
    """

    model: str
    layer: int
    device: str
    precision: str
    kept: VectorCache = field(default_factory=lambda: VectorCache(KEPT_BYTES))

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
            for pieces in self._pieces(texts[start : start + _TEXTS_AT_ONCE]):
                yield set(pieces) - special

    def _computed(self, texts: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        import torch

        if not texts:
            return {}
        model, tokenizer = self._loaded
        pieces, special = self._pieces(texts), self._special.to(self.device)
        # The last layer's states are taken as the model returns them, whatever follows it.
        is_last = self.layer == model.config.num_hidden_layers
        found = {}
        for rows, ids, mask in padded_batches(
            pieces,
            tokenizer.pad_token_id or 0,
            self._most_pieces,
            tokens=MOST_TOKENS[self.device],
            device=self.device,
        ):
            with torch.inference_mode():
                read = model(input_ids=ids, attention_mask=mask, output_hidden_states=not is_last)
                states = read.last_hidden_state if is_last else read.hidden_states[self.layer]
                vectors = torch.nn.functional.normalize(states.float(), dim=-1)
                counted = ids.masked_fill(torch.isin(ids, special), NO_ID)
                packed = torch.cat([vectors, counted.unsqueeze(-1).float()], dim=-1).cpu().numpy()
            for place, row in enumerate(rows):
                found[texts[row]] = packed[place, : len(pieces[row])].copy()
        return found

    def _pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text's word pieces, special ones included, up to the limit."""
        read = [without_surrogates(text) for text in texts]
        found: list[list[int]] = self._loaded[1](
            read, truncation=True, max_length=self._most_pieces
        )["input_ids"]
        return found

    @cached_property
    def _most_pieces(self) -> int:
        model, tokenizer = self._loaded
        positions = getattr(model.config, "max_position_embeddings", _NO_LIMIT)
        limit = tokenizer.model_max_length
        return int(limit if limit < _NO_LIMIT else positions)

    @property
    def vocabulary(self) -> int:
        """How many different pieces the model knows."""
        return len(self._loaded[1])

    @cached_property
    def _special(self) -> Any:
        import torch

        tokenizer = self._loaded[1]
        ends = (tokenizer.cls_token_id, tokenizer.sep_token_id)
        return torch.tensor([each for each in ends if each is not None])

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The model and its tokenizer."""
        files = tuple(fingerprint(local.files(self.model)).items())
        loaded = _loaded(self.model, self.device, self.precision, files)
        layers = loaded[0].config.num_hidden_layers
        if self.layer > layers:
            raise Unavailable(
                f"model {self.model!r} has {layers} layers: choose layer {layers} or a lower one"
            )
        return loaded


token_encoder = lru_cache(maxsize=2)(TokenEncoder)
"""Returns the encoder that all metrics of this process share, and so its vectors."""
