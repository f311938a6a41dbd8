"""The kinds of style models that can be trained, by their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from corpus.progress import ProgressCallback
from metrics.scorers.spec import Parameter, Value
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
        For commands and for people.
    parameters
        Its settings.
    train
        Makes a model from labelled texts, settings, a seed and a listener to its progress.
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
        TrainingError
            If a name is unknown.
        ParameterError
            If a value is not taken.
        """
        names = [parameter.name for parameter in self.parameters]
        for name in given:
            if name not in names:
                raise TrainingError(
                    f"{self.name} has no setting {name!r}; it takes {', '.join(names)}"
                )
        return {
            each.name: each.read(given.get(each.name, each.default)) for each in self.parameters
        }


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            bag_of_words.KIND,
            bag_of_words.TITLE,
            bag_of_words.PARAMETERS,
            bag_of_words.train,
            bag_of_words.BagOfWords,
        ),
        Kind(
            frozen_embeddings.KIND,
            frozen_embeddings.TITLE,
            frozen_embeddings.PARAMETERS,
            frozen_embeddings.train,
            frozen_embeddings.FrozenEmbeddings,
            most=20_000,
        ),
        Kind(
            transformer.KIND,
            transformer.TITLE,
            transformer.PARAMETERS,
            transformer.train,
            transformer.Transformer,
            most=6_000,
        ),
        Kind(
            ngram_vectors.KIND,
            ngram_vectors.TITLE,
            ngram_vectors.PARAMETERS,
            ngram_vectors.train,
            ngram_vectors.NgramVectors,
            most=60_000,
        ),
        Kind(
            text_cnn.KIND,
            text_cnn.TITLE,
            text_cnn.PARAMETERS,
            text_cnn.train,
            text_cnn.TextCnn,
            most=20_000,
        ),
        Kind(lstm.KIND, lstm.TITLE, lstm.PARAMETERS, lstm.train, lstm.Lstm, most=20_000),
        Kind(
            ready_made.KIND,
            ready_made.TITLE,
            ready_made.PARAMETERS,
            ready_made.take,
            ready_made.ReadyMade,
            learns=False,
        ),
    )
}
TITLES = {kind.name: kind.title for kind in KINDS.values()}


def kind_of(name: str) -> Kind:
    """Return a kind by its name; `TrainingError` that lists them if there is none."""
    try:
        return KINDS[name]
    except KeyError:
        raise TrainingError(f"no kind {name!r}; there are {', '.join(KINDS)}") from None
