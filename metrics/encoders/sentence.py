"""Sentence embeddings, each text embedded once."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.encoders.stored_vectors import StoredVectors, VectorCache
from metrics.encoders.tokens import MOST_TOKENS, check_device, without_surrogates
from metrics.language_models.batching import WIDTHS, by_length
from metrics.scorers.spec import Parameter
from metrics.weights import local, minilm
from metrics.weights.files import fingerprint
from metrics.weights.loading import loading
from metrics.weights.registered import MODELS

_stored: ContextVar[StoredVectors | None] = ContextVar("stored", default=None)
MODEL = Parameter(
    "model",
    minilm.NAME,
    "The encoder: minilm, or a model that the administrator lists.",
    listed=MODELS,
)
KEPT_BYTES = 64 * 2**20
"""About 35,000 embeddings of MiniLM."""


@dataclass(eq=False)
class SentenceEncoder:
    """Embeddings as sentence-transformers computes them (Reimers and Gurevych 2019).

    Its modules get batches of texts with about as many word pieces, where its own `encode` sorts by
    letters and pads by up to a fifth. Equal texts are embedded once, and the texts used last
    are kept. A text longer than the model's limit (MiniLM: 256 pieces) is cut off there. The model
    loads at the first text.

    Parameters
    ----------
    model
        ``minilm``, or a name that the administrator lists.
    device, precision
        ``cpu`` or ``cuda``; ``float32``, ``bfloat16`` or, on a GPU, ``float16``.
    kept
        Embeddings of the texts used last.

    Raises
    ------
    Unavailable
        From all that loads the model: if it is not on this machine, or of an unknown kind.

    Examples
    --------
    >>> SentenceEncoder().encode(["A text.", "Another."]).shape
    (2, 384)
    """

    model: str = minilm.NAME
    device: str = "cpu"
    precision: str = "float32"
    kept: VectorCache = field(default_factory=lambda: VectorCache(KEPT_BYTES))

    def encode(
        self, texts: Sequence[str], stored: StoredVectors | None = None
    ) -> npt.NDArray[np.float32]:
        """Return texts × size; of unit length where the model says so, as MiniLM does.

        Parameters
        ----------
        texts
            Any; equal ones are embedded once.
        stored
            Where embeddings are looked for that are not in memory, and kept that are new; None:
            where `stored_in` says, if it does.
        """
        stored = stored or _stored.get()
        different = dict.fromkeys(texts)
        vectors = self.kept.found(different)
        new = [text for text in different if text not in vectors]
        read = stored.found(self._made_by, new) if stored and new else {}
        computed = self._computed([text for text in new if text not in read])
        if stored and computed:
            stored.keep(self._made_by, computed)
        self.kept.keep(read | computed)
        vectors |= read | computed
        if not texts:
            return np.empty((0, self.size), dtype=np.float32)
        return np.stack([vectors[text] for text in texts])

    def already_stored(
        self, texts: Iterable[str], stored: StoredVectors
    ) -> dict[str, npt.NDArray[np.float32]]:
        """Return the embeddings of texts that are stored; nothing is computed.

        Raises
        ------
        Unavailable
            If the model, which says what was computed by it, is not on this machine.
        """
        return stored.found(self._made_by, texts)

    @property
    def size(self) -> int:
        """Length of an embedding."""
        return int(self._library.get_embedding_dimension())

    @cached_property
    def _made_by(self) -> str:
        """Hash of all that decides an embedding but the text."""
        parts = [fingerprint(local.files(self.model)), self.device, self.precision]
        return sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def _computed(self, texts: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        if not texts:
            return {}
        import torch

        library = self._library
        padding = {"processing_kwargs": {"text": {"pad_to_multiple_of": WIDTHS}}}
        prompt = library.prompts.get(library.default_prompt_name)
        found: dict[str, npt.NDArray[np.float32]] = {}
        with torch.inference_mode():
            batches = by_length(
                self._lengths(texts), MOST_TOKENS[self.device], alike=self.device == "cpu"
            )
            for rows in batches:
                batch = [without_surrogates(texts[row]) for row in rows]
                features = {
                    name: value.to(self.device) if isinstance(value, torch.Tensor) else value
                    for name, value in library.preprocess(batch, prompt=prompt, **padding).items()
                }
                vectors = library(features)["sentence_embedding"].float().cpu().numpy()
                # Copies: a row of the array would keep the whole array in memory.
                found |= {texts[row]: vectors[place].copy() for place, row in enumerate(rows)}
        return found

    def _lengths(self, texts: Sequence[str]) -> list[int]:
        """Return how many word pieces of each text the model reads."""
        library = self._library
        read = [without_surrogates(text) for text in texts]
        limit = library.max_seq_length or max(map(len, read))
        pieces = library.tokenizer(read, verbose=False)["input_ids"]
        return [min(len(each), limit) for each in pieces]

    @cached_property
    def _library(self) -> Any:
        import torch
        from sentence_transformers import SentenceTransformer

        check_device(self.device, self.precision)
        folder = local.folder(self.model)
        with loading(self.model, "an encoder of sentences"):
            library = SentenceTransformer(
                str(folder),
                device=self.device,
                local_files_only=True,
                model_kwargs={"dtype": getattr(torch, self.precision)},
            )
        return library.eval()


def sentence_encoder(
    model: str = minilm.NAME, device: str = "cpu", precision: str = "float32"
) -> SentenceEncoder:
    """Return the encoder that all metrics of this process share, and so its embeddings."""
    return _shared(model, device, precision)


# Apart, because the cache tells apart how arguments were written.
@lru_cache(maxsize=2)
def _shared(model: str, device: str, precision: str) -> SentenceEncoder:
    return SentenceEncoder(model, device, precision)


@contextmanager
def stored_in(stored: StoredVectors | None) -> Iterator[None]:
    """Let all encoders look for embeddings among stored ones, and store new ones, for a while."""
    token = _stored.set(stored)
    try:
        yield
    finally:
        _stored.reset(token)
