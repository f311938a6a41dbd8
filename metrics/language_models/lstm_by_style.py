"""One LSTM language model a style: how likely a text is among the texts of its target style."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corpus.masking import words_of
from corpus.progress import ProgressCallback
from metrics.language_models.lstm import RESERVED, LstmLanguageModel, network, train
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Value
from metrics.weights.hashing import file_sha256

MANIFEST = "lstm.json"


class LstmByStyle:
    """LSTM language models by style, read from the folder in which `write_lstms` put them.

    Words are those that masks know: without regard to case, signs by themselves.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._said: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        self._models: dict[str, LstmLanguageModel] = {}

    @property
    def styles(self) -> tuple[str, ...]:
        """The styles of which there is a model."""
        return tuple(self._said["styles"])

    @property
    def sha256(self) -> str:
        """Hash of vocabularies, settings and weights."""
        weights = {
            style: file_sha256(self._folder / said["weights"])
            for style, said in self._said["styles"].items()
        }
        content = [weights, file_sha256(self._folder / MANIFEST)]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def negative_log_likelihood(
        self, texts: Sequence[str], styles: Sequence[str]
    ) -> tuple[Floats, Floats]:
        """Return total −ln P of each text, end symbol included, and its number of units.

        Parameters
        ----------
        texts
            Texts to ask about.
        styles
            The style of each, whose model is asked.

        Returns
        -------
        tuple of ndarray, shape (texts,)
            In nats, and words plus one end symbol; NaN where there is no model of the style.
        """
        found = np.full((len(texts), 2), np.nan)
        known: dict[tuple[str, str], tuple[float, float]] = {}
        for row, pair in enumerate(zip(texts, styles, strict=True)):
            if pair[1] not in self._said["styles"]:
                continue
            if pair not in known:
                words = words_of(pair[0])
                likelihood = self._model(pair[1]).negative_log_likelihood(words)
                known[pair] = likelihood, len(words) + 1.0
            found[row] = known[pair]
        return found[:, 0], found[:, 1]

    def _model(self, style: str) -> LstmLanguageModel:
        from safetensors.torch import load_file

        if style not in self._models:
            said = self._said["styles"][style]
            made = network(len(said["vocabulary"]) + RESERVED, self._said["settings"])
            made.load_state_dict(load_file(self._folder / said["weights"]))
            self._models[style] = LstmLanguageModel(said["vocabulary"], made)
        return self._models[style]


def write_lstms(
    texts: Mapping[str, Sequence[str]],
    folder: Path,
    *,
    settings: Mapping[str, Value],
    report: ProgressCallback,
) -> None:
    """Train a model on the texts of each style and write them.

    Parameters
    ----------
    texts
        Style to its texts. Texts that are to be scored later do not belong here.
    folder
        An empty folder that exists.
    settings
        Of `metrics.language_models.lstm.PARAMETERS`.
    report
        Hears the progress.

    Raises
    ------
    ValueError
        If the texts of a style are too few.
    """
    from safetensors.torch import save_file

    styles = {}
    for number, style in enumerate(sorted(texts)):
        try:
            model = train([words_of(text) for text in texts[style]], settings, report)
        except ValueError as error:
            raise ValueError(f"style {style!r}: {error}") from error
        styles[style] = {"weights": f"{number}.safetensors", "vocabulary": model.vocabulary}
        save_file(model.network.state_dict(), folder / f"{number}.safetensors")
    said = {"settings": dict(settings), "styles": styles}
    (folder / MANIFEST).write_text(json.dumps(said), encoding="utf-8")
