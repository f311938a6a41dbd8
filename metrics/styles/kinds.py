"""The kinds of style models that can be trained, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Protocol

from corpus.progress import ProgressCallback
from metrics.scorers.spec import Parameter, Value, read_parameters
from metrics.styles import (
    bag_of_words,
    frozen_embeddings,
    lstm,
    ngram_vectors,
    ready_made,
    text_cnn,
    transformer,
)
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.model import Settings, StyleModel


class _Train(Protocol):
    def __call__(
        self, labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
    ) -> StyleModel: ...


@dataclass(frozen=True)
class Kind:
    """A way to make a style model.

    Attributes
    ----------
    name, title
        For commands and for pages.
    parameters
        Its settings.
    train
        Makes a model from labelled texts, settings, a seed and a callback for progress.
    model
        Its class, which can be written and read.
    most
        How many texts it is trained on unless more are asked for; 0 for all there are.
    learns
        Whether it learns from the texts; one that does not is only tried on them.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    train: _Train
    model: type[StyleModel]
    most: int = 0
    learns: bool = True

    def read_settings(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return the value of every setting, defaults filled in.

        Raises
        ------
        ParameterError
            If a name is unknown or a value is not taken.
        """
        return read_parameters(self.name, self.parameters, given)


def _kind(module: ModuleType, model: type[StyleModel], most: int = 0) -> Kind:
    return Kind(module.KIND, module.TITLE, module.PARAMETERS, module.train, model, most)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        _kind(bag_of_words, bag_of_words.BagOfWords),
        _kind(frozen_embeddings, frozen_embeddings.FrozenEmbeddings, most=20_000),
        _kind(transformer, transformer.Transformer, most=6_000),
        _kind(ngram_vectors, ngram_vectors.NgramVectors, most=60_000),
        _kind(text_cnn, text_cnn.TextCnn, most=20_000),
        _kind(lstm, lstm.Lstm, most=20_000),
        replace(_kind(ready_made, ready_made.ReadyMade), learns=False),
    )
}
TITLES = {kind.name: kind.title for kind in KINDS.values()}


def kind_of(name: str) -> Kind:
    """Return a kind by its name; `TrainingError` that lists them if there is none."""
    try:
        return KINDS[name]
    except KeyError:
        raise TrainingError(f"no kind {name!r}; there are {', '.join(KINDS)}") from None
