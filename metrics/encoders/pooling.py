"""How a sentence encoder makes one vector of a text's pieces, as its folder says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metrics.scorers.scorer import Unavailable
from metrics.weights.loading import loading

MODES = ("mean", "cls", "max")
_OLD_NAMES = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
}


@dataclass(frozen=True, slots=True)
class Pooling:
    """From the last hidden states to a vector.

    Parameters
    ----------
    mode
        ``mean`` of all pieces, special ones included; the first (``cls``); or ``max``.
    normalises
        Whether the vector is then divided by its length.
    most_pieces
        Limit of pieces of a text; None: the model's own.
    """

    mode: str = "mean"
    normalises: bool = False
    most_pieces: int | None = None

    def __call__(self, states: Any, mask: Any) -> Any:
        """Return texts × size in float32 of texts × pieces × size."""
        import torch

        states, mask = states.float(), mask.unsqueeze(-1).float()
        if self.mode == "cls":
            pooled = states[:, 0]
        elif self.mode == "max":
            pooled = states.masked_fill(mask == 0, -torch.inf).max(dim=1).values
        else:
            pooled = (states * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(pooled, dim=1) if self.normalises else pooled


def pooling_of(folder: Path, name: str) -> Pooling:
    """Read a folder of sentence-transformers; a plain transformer is pooled by the mean.

    Parameters
    ----------
    folder
        Of the model.
    name
        What messages call it.

    Raises
    ------
    Unavailable
        If it has a module or a pooling that is not known here, or files of another kind.
    """
    with loading(name, "an encoder of sentences"):
        return _pooling(folder, name)


def _pooling(folder: Path, name: str) -> Pooling:
    if not (folder / "modules.json").is_file():
        return Pooling()
    modules = [
        (str(each["type"]).rpartition(".")[2], folder / each["path"])
        for each in _read(folder / "modules.json")
    ]
    names = [name for name, _ in modules]
    if names not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        raise Unavailable(
            f"model {name!r} has other modules than a Transformer, Pooling and Normalize, which "
            "are known here"
        )
    if modules[0][1].resolve() != folder.resolve():
        raise Unavailable(
            f"model {name!r}: its transformer lies in a folder below; list a folder that "
            "holds the transformer itself"
        )
    limits = folder / "sentence_bert_config.json"
    limit = _read(limits).get("max_seq_length") if limits.is_file() else None
    return Pooling(_mode(modules[1][1] / "config.json", name), "Normalize" in names, limit)


def _mode(path: Path, model: str) -> str:
    found = _read(path)
    mode = found.get("pooling_mode") or "+".join(
        _OLD_NAMES.get(name, name)
        for name, value in found.items()
        if name.startswith("pooling_mode_") and value
    )
    if mode not in MODES:
        raise Unavailable(
            f"model {model!r} pools in another way; known here are {', '.join(MODES)}"
        )
    return str(mode)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
