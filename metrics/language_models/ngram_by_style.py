"""One n-gram model a style: how likely a text is among the texts of its target style."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from corpus.masking import words_of
from corpus.progress import ProgressCallback
from metrics.language_models.arpa import read_arpa, write_arpa
from metrics.language_models.kneser_ney import train
from metrics.language_models.ngram import NATURAL
from metrics.scorers.scorer import Floats
from metrics.weights.hashing import file_sha256

MANIFEST = "styles.json"
Likelihood: TypeAlias = Callable[[Sequence[str]], float]
"""−ln P of a sentence of words."""


class NgramsByStyle:
    """N-gram models by style, read from the folder in which `write_ngrams` put them.

    Words are those that masks know: without regard to case, signs by themselves. Where KenLM is
    installed it reads and asks the files, in less memory; it computes with half the digits, so
    its name and version are part of the hash.
    """

    def __init__(self, folder: Path) -> None:
        files: dict[str, str] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        self._paths = {style: folder / name for style, name in files.items()}
        self._models: dict[str, Likelihood] = {}

    @property
    def styles(self) -> tuple[str, ...]:
        """The styles of which there is a model."""
        return tuple(self._paths)

    @property
    def sha256(self) -> str:
        """Hash of the models and of what reads them."""
        content = {style: file_sha256(path) for style, path in self._paths.items()}
        return hashlib.sha256(json.dumps([content, _reader()]).encode()).hexdigest()

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
            if pair[1] not in self._paths:
                continue
            if pair not in known:
                words = words_of(pair[0])
                known[pair] = self._model(pair[1])(words), len(words) + 1.0
            found[row] = known[pair]
        return found[:, 0], found[:, 1]

    def _model(self, style: str) -> Likelihood:
        if style not in self._models:
            opened = _with_kenlm if _reader() else _with_tables
            self._models[style] = opened(self._paths[style])
        return self._models[style]


def write_ngrams(
    texts: Mapping[str, Sequence[str]], folder: Path, *, order: int, report: ProgressCallback
) -> None:
    """Train a model on the texts of each style and write them as ARPA files.

    Parameters
    ----------
    texts
        Style to its texts. Texts that are to be scored later do not belong here.
    folder
        An empty folder that exists.
    order
        Longest n-gram, from 2.
    report
        Hears the progress.

    Raises
    ------
    ValueError
        If no text of a style has a word.
    """
    names = {}
    for number, style in enumerate(sorted(texts)):
        report(f"n-grams of {style}", number, len(texts))
        try:
            model = train((words_of(text) for text in texts[style]), order)
        except ValueError as error:
            raise ValueError(f"style {style!r}: {error}") from error
        names[style] = f"{number}.arpa"
        write_arpa(model, folder / names[style])
    (folder / MANIFEST).write_text(json.dumps(names), encoding="utf-8")


def _reader() -> str:
    """Return KenLM with its version; empty where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    try:
        return f"kenlm {version('kenlm')}" if find_spec("kenlm") else ""
    except PackageNotFoundError:
        return "kenlm"


def _with_tables(path: Path) -> Likelihood:
    return read_arpa(path).negative_log_likelihood


def _with_kenlm(path: Path) -> Likelihood:
    import kenlm

    config: Any = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    model: Any = kenlm.Model(str(path), config)

    def likelihood(words: Sequence[str]) -> float:
        scored = model.full_scores(" ".join(words), bos=True, eos=True)
        return -NATURAL * math.fsum(logarithm for logarithm, _, _ in scored)

    return likelihood
