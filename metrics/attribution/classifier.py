"""A fine-tuned transformer classifier, and its gradients between a baseline and a text."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from metrics.attribution.attribution import PIECE, Floats, Pieces
from metrics.language_models.batching import padded_batches
from metrics.scorers.scorer import Unavailable
from metrics.weights import local
from metrics.weights.files import fingerprint
from metrics.weights.loading import loading, read_pretrained

Baseline: TypeAlias = Literal["keep-special", "pad-all"]
"""Whether the baseline keeps special tokens between its [PAD]s, or has [PAD] everywhere."""
_NO_VECTOR = "its last layer does not read one vector of each text"
PIECES_AT_ONCE = 512
"""Word pieces of one pass through the model: stays in the caches of a processor."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text as the classifier reads it.

    Attributes
    ----------
    ids
        Of its word pieces.
    pieces : structured ndarray, `PIECE`
        Their places, without attributions yet.
    left_out
        Number of pieces beyond what the classifier can read.
    """

    ids: tuple[int, ...]
    pieces: Pieces
    left_out: int

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Point:
    """One point on the straight path from a text's baseline (0) to the text (1)."""

    text: Encoded
    column: int
    place: float


@dataclass(frozen=True, slots=True)
class Slope:
    """What the classifier says at a point.

    Attributes
    ----------
    logits : ndarray, shape (columns,)
        At the point.
    pieces : ndarray, shape (pieces,)
        Derivative of the point's column along the path, split by pieces.
    """

    logits: Floats
    pieces: Floats


class TransformerClassifier:
    """A classifier in the format of transformers, loaded when it is first asked.

    Parameters
    ----------
    directory
        What `AutoModelForSequenceClassification.save_pretrained` wrote, with its tokenizer.

    Raises
    ------
    Unavailable
        If the directory holds no such model.
    """

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        if not local.is_model(self.directory):
            raise Unavailable(
                f"model {self.name} has no config.json: attributions are of a model that "
                "transformers saved"
            )

    @property
    def name(self) -> str:
        """What messages call it: the folder's own name, not its path."""
        return self.directory.name[:16]

    def fingerprint(self) -> dict[str, str]:
        """Return names of the model's files to their SHA-256."""
        return fingerprint(local.files_of(self.directory))

    @cached_property
    def styles(self) -> tuple[str, ...]:
        """Names of the columns, as the model was saved with."""
        facts = json.loads((self.directory / "config.json").read_text(encoding="utf-8"))
        # Two columns without names are what transformers leaves out.
        names = facts.get("id2label") or {"0": "LABEL_0", "1": "LABEL_1"}
        return tuple(names[column] for column in sorted(names, key=int))

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Cut texts into word pieces, as many as the classifier can read."""
        whole = self._tokenized(texts)
        longest = self._longest
        encoded = []
        for text, (ids, pieces) in zip(texts, whole, strict=True):
            if len(ids) <= longest:
                encoded.append(Encoded(ids, pieces, 0))
            else:
                [(some, places)] = self._tokenized([text], truncation=True, max_length=longest)
                encoded.append(Encoded(some, places, len(ids) - len(some)))
        return encoded

    def representations(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return what the classifier makes of texts before it decides, shape (texts, size).

        The input of its last linear layer: of BERT the pooled state of the first piece. What is
        longer than the classifier reads is cut off there.

        Raises
        ------
        Unavailable
            If the last layer does not read one vector of each text.
        """
        import torch

        layer = self._last_layer
        encoded = self.encode(texts)
        found: dict[int, npt.NDArray[np.float32]] = {}
        seen: list[Any] = []
        hook = layer.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
        try:
            for rows, ids, attended in padded_batches(
                [each.ids for each in encoded], self._padding, self._longest, tokens=PIECES_AT_ONCE
            ):
                seen.clear()
                with torch.inference_mode():
                    self._model(input_ids=ids, attention_mask=attended)
                if len(seen) != 1 or seen[0].ndim != 2:
                    raise Unavailable(f"model {self.name}: {_NO_VECTOR}")
                found |= zip(rows, seen[0].float().numpy(), strict=False)
        finally:
            hook.remove()
        return np.stack([found[row] for row in range(len(texts))])

    def slopes(self, points: Sequence[Point], baseline: Baseline) -> list[Slope]:
        """Return logits and derivatives at many points, each as if it were alone."""
        slopes: dict[int, Slope] = {}
        sequences = [point.text.ids for point in points]
        for rows, ids, attended in padded_batches(
            sequences, self._padding, self._longest, tokens=PIECES_AT_ONCE
        ):
            some = [points[row] for row in rows]
            slopes |= zip(rows, self._batch(some, ids, attended, baseline), strict=True)
        return [slopes[row] for row in range(len(points))]

    def _batch(
        self, points: Sequence[Point], ids: Any, attended: Any, baseline: Baseline
    ) -> list[Slope]:
        import torch

        is_blanked = torch.zeros(ids.shape, dtype=torch.bool)
        for row, point in enumerate(points):
            length = len(point.text)
            kept = point.text.pieces["is_special"] & (baseline == "keep-special")
            is_blanked[row, :length] = torch.from_numpy(~kept)
        places = torch.tensor([point.place for point in points], dtype=torch.float32)
        columns = torch.tensor([point.column for point in points])
        embedding = self._model.get_input_embeddings()
        with torch.no_grad():
            start = embedding(ids.masked_fill(is_blanked, self._padding))
            difference = embedding(ids) - start
        path = (start + places[:, None, None] * difference).requires_grad_()
        # Whatever else a model makes of the ids (positions, the last token) stays the text's.
        hook = embedding.register_forward_hook(lambda *_: path)
        try:
            logits = self._model(input_ids=ids, attention_mask=attended).logits
        finally:
            hook.remove()
        chosen = logits.gather(1, columns[:, None]).sum()
        (gradient,) = torch.autograd.grad(chosen, path)
        slopes = (gradient * difference).sum(-1).double().numpy()
        found = logits.detach().double().numpy()
        return [
            Slope(found[row], slopes[row, : len(point.text)]) for row, point in enumerate(points)
        ]

    def _tokenized(
        self, texts: Sequence[str], **cut: object
    ) -> list[tuple[tuple[int, ...], Pieces]]:
        if not texts:
            return []
        # Lone surrogates, which no tokenizer takes, become question marks.
        sound = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        read = self._tokenizer(
            sound,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            return_attention_mask=False,
            verbose=False,
            **cut,
        )
        columns = (read["input_ids"], read["offset_mapping"], read["special_tokens_mask"])
        return [
            (tuple(ids), _pieces(offsets, special))
            for ids, offsets, special in zip(*columns, strict=True)
        ]

    @cached_property
    def _last_layer(self) -> Any:
        import torch

        columns = self._model.config.num_labels
        layers = [
            each
            for each in self._model.modules()
            if isinstance(each, torch.nn.Linear) and each.out_features == columns
        ]
        if not layers:
            raise Unavailable(f"model {self.name}: {_NO_VECTOR}")
        return layers[-1]

    @cached_property
    def _longest(self) -> int:
        positions = getattr(self._model.config, "max_position_embeddings", None)
        limits = [self._tokenizer.model_max_length, positions]
        return int(min(limit for limit in limits if limit))

    @cached_property
    def _padding(self) -> int:
        if self._tokenizer.pad_token_id is None:
            raise Unavailable(
                f"model {self.name}: the tokenizer has no padding token, which attributions are "
                "measured against; set one and save the tokenizer again"
            )
        return int(self._tokenizer.pad_token_id)

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        with loading(self.name):
            tokenizer = read_pretrained(AutoTokenizer, self.directory)
        if not tokenizer.is_fast:
            raise Unavailable(
                f"model {self.name}: the tokenizer does not say where pieces stand in the text; "
                "save it with tokenizer.json (use_fast=True)"
            )
        return tokenizer

    @cached_property
    def _model(self) -> Any:
        from transformers import AutoModelForSequenceClassification

        with loading(self.name, "a classifier"):
            model = read_pretrained(AutoModelForSequenceClassification, self.directory)
        return model.eval().float().requires_grad_(requires_grad=False)


def _pieces(offsets: Sequence[tuple[int, int]], special: Sequence[int]) -> npt.NDArray[Any]:
    pieces = np.zeros(len(offsets), dtype=PIECE)
    places = np.array(offsets, dtype=np.int32).reshape(-1, 2)
    pieces["start"], pieces["end"] = places[:, 0], places[:, 1]
    pieces["is_special"] = np.array(special, dtype=bool)
    return pieces
