"""One language model a style: how likely a text is among the texts of its target style."""

import hashlib
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import numpy as np

from corpus.progress import ProgressCallback
from corpus.texts.masking import split_words
from metrics.language_models import lstm, ngrams
from metrics.language_models.ngrams import NATURAL, read_arpa, write_arpa
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Parameter, Value
from metrics.weights.files import file_sha256

Likelihood: TypeAlias = Callable[[Sequence[str]], float]
"""−ln P of a sentence of words."""
Sentences: TypeAlias = Sequence[Sequence[str]]
Settings: TypeAlias = Mapping[str, Value]
Described: TypeAlias = dict[str, Any]
"""The file of a style's model, and what else is needed to read it."""


class ModelsByStyle(ABC):
    """Language models by style, read from the folder in which `write` put them.

    Words are those that masks know: without regard to case, signs by themselves.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._manifest: dict[str, Any] = json.loads((folder / self.manifest()).read_text("utf-8"))
        self._described: dict[str, Described] = self._manifest["styles"]
        self.styles = tuple(self._described)
        self._models: dict[str, Likelihood] = {}

    @classmethod
    def manifest(cls) -> str:
        """Return the name of the file that lists the models of a folder."""
        return f"{cls.kind}.json"

    @property
    def sha256(self) -> str:
        """Hash of the models, of their settings and of what reads them."""
        hashes = [file_sha256(self.folder / each["file"]) for each in self._described.values()]
        content = [hashes, self._manifest, self.reader()]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def negative_log_likelihood(
        self, texts: Sequence[str], styles: Sequence[str]
    ) -> tuple[Floats, Floats]:
        """Return total −ln P of each text, end symbol included, and its number of units.

        Returns
        -------
        tuple of ndarray, shape (texts,)
            In nats, and words plus one end symbol; NaN where there is no model of the style.
        """
        found = np.full((len(texts), 2), np.nan)
        known: dict[tuple[str, str], tuple[float, float]] = {}
        for row, (text, style) in enumerate(zip(texts, styles, strict=True)):
            if style not in self._described:
                continue
            if (text, style) not in known:
                words = split_words(text)
                if style not in self._models:
                    self._models[style] = self.read(self._described[style])
                known[text, style] = self._models[style](words), len(words) + 1.0
            found[row] = known[text, style]
        return found[:, 0], found[:, 1]

    @classmethod
    def write(
        cls,
        texts: Mapping[str, Sequence[str]],
        folder: Path,
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
            Of `parameters`.
        report
            Is called with the progress.

        Raises
        ------
        ValueError
            If the texts of a style are too few.
        """
        styles = {}
        for number, style in enumerate(sorted(texts)):
            report(f"{cls.title} of {style}", number, len(texts))
            sentences = [split_words(text) for text in texts[style]]
            try:
                styles[style] = cls.train(sentences, folder / str(number), settings, report)
            except ValueError as error:
                raise ValueError(f"style {style!r}: {error}") from error
        manifest = {"settings": dict(settings), "styles": styles}
        (folder / cls.manifest()).write_text(json.dumps(manifest), encoding="utf-8")

    @classmethod
    @abstractmethod
    def train(
        cls, sentences: Sentences, path: Path, settings: Settings, report: ProgressCallback
    ) -> Described:
        """Train a model, write its file, named with a suffix, and return how it is read."""

    @abstractmethod
    def read(self, described: Described) -> Likelihood:
        """Return the model of a style."""

    @staticmethod
    def reader() -> str:
        """Return what reads the models, with its version, where that decides digits."""
        return ""


class NgramsByStyle(ModelsByStyle):
    """N-gram models as ARPA files.

    Where KenLM is installed it reads them, in less memory; it computes with half the digits, so
    its name and version are part of the hash.
    """

    kind = "ngrams"
    title = "n-gram model"
    parameters = (Parameter("order", 3, "Longest n-gram.", minimum=2, maximum=6),)

    @classmethod
    def train(
        cls, sentences: Sentences, path: Path, settings: Settings, report: ProgressCallback
    ) -> Described:
        """Train by Kneser–Ney; see `ModelsByStyle.train`."""
        file = path.with_suffix(".arpa")
        write_arpa(ngrams.train(sentences, int(settings["order"])), file)
        return {"file": file.name}

    def read(self, described: Described) -> Likelihood:
        """See `ModelsByStyle.read`."""
        path = self.folder / described["file"]
        return with_kenlm(path) if self.reader() else read_arpa(path).negative_log_likelihood

    @staticmethod
    def reader() -> str:
        """Return KenLM with its version; empty where it is not installed."""
        from importlib.metadata import PackageNotFoundError, version
        from importlib.util import find_spec

        try:
            return f"kenlm {version('kenlm')}" if find_spec("kenlm") else ""
        except PackageNotFoundError:
            return "kenlm"


def with_kenlm(path: Path) -> Likelihood:
    """Return an n-gram model read by KenLM."""
    import kenlm

    config: Any = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    model: Any = kenlm.Model(str(path), config)

    def likelihood(words: Sequence[str]) -> float:
        scored = model.full_scores(" ".join(words), bos=True, eos=True)
        return -NATURAL * math.fsum(logarithm for logarithm, _, _ in scored)

    return likelihood


class LstmByStyle(ModelsByStyle):
    """LSTM language models with their vocabularies."""

    kind = "lstm"
    title = "LSTM language model"
    parameters = lstm.PARAMETERS

    @classmethod
    def train(
        cls, sentences: Sentences, path: Path, settings: Settings, report: ProgressCallback
    ) -> Described:
        """See `ModelsByStyle.train`."""
        from safetensors.torch import save_file

        model = lstm.train(sentences, settings, report)
        file = path.with_suffix(".safetensors")
        save_file(model.network.state_dict(), file)
        return {"file": file.name, "vocabulary": model.vocabulary}

    def read(self, described: Described) -> Likelihood:
        """See `ModelsByStyle.read`."""
        from safetensors.torch import load_file

        vocabulary = described["vocabulary"]
        network = lstm.network(len(vocabulary) + lstm.RESERVED, self._manifest["settings"])
        network.load_state_dict(load_file(self.folder / described["file"]))
        return lstm.LstmLanguageModel(vocabulary, network).negative_log_likelihood


KINDS: dict[str, type[ModelsByStyle]] = {each.kind: each for each in (NgramsByStyle, LstmByStyle)}
