"""What small networks on a vocabulary of their training texts have in common."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from corpus.progress import ProgressCallback
from corpus.texts.masking import split_words
from metrics.language_models.batching import padded
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Parameter
from metrics.styles.gradients import Scale, Steps, fit, seeded
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.model import Settings, StyleModel

PADDING, UNKNOWN, RESERVED = 0, 1, 2
"""Numbers that stand for no word, for any word that is not known, and where known ones begin."""
_VOCABULARY, _WEIGHTS, _GRADES = "vocabulary.json", "weights.safetensors", "grades.json"


def common_parameters(
    *, epochs: int, rate: float, batch: int = 32, dropout: float = 0.3
) -> tuple[Parameter, ...]:
    """Return the settings of every such network, with a kind's own defaults."""
    return (
        Parameter("fewest", 1, "In how many texts a word must occur.", minimum=1, maximum=1000),
        Parameter("size", 100, "Numbers of a word's vector.", minimum=1, maximum=1000),
        Parameter("epochs", epochs, "How often each text is seen.", minimum=1, maximum=200),
        Parameter("batch", batch, "Texts in one step of training.", minimum=1, maximum=1024),
        Parameter("rate", rate, "Learning rate at its highest.", minimum=1e-7, maximum=1.0),
        Parameter(
            "dropout", dropout, "Share of numbers left out in training.", minimum=0.0, maximum=0.9
        ),
        Parameter("weight_decay", 0.01, "Penalty on large weights.", minimum=0.0, maximum=1.0),
    )


WORDS_READ = Parameter(
    "tokens", 128, "Words of a text that are read; the rest is not.", minimum=1, maximum=512
)


class WordNetwork(StyleModel):
    """A vocabulary and a network on numbers of words.

    Parameters
    ----------
    vocabulary
        Words, or sequences of words, in the order of their numbers.
    network
        A module of torch: from numbers of words and their mask, both texts × places, to logits.
    scale
        Of the grades.
    """

    def __init__(
        self,
        styles: Sequence[str],
        settings: Settings,
        vocabulary: Sequence[str],
        network: Any,
        scale: Scale,
    ) -> None:
        super().__init__(styles, settings)
        self.vocabulary = tuple(vocabulary)
        self.network = network.eval()
        self.scale = scale
        self._numbers = {word: row for row, word in enumerate(self.vocabulary, RESERVED)}

    @staticmethod
    @abstractmethod
    def make(words: int, outputs: int, settings: Settings) -> Any:
        """Return a new module for so many words of the vocabulary and so many outputs."""

    @staticmethod
    @abstractmethod
    def read_words(text: str, settings: Settings) -> list[str]:
        """Return what of a text stands in vocabularies."""

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of a text's words; there is at least one."""
        words = self.read_words(text, self.settings)
        return [self._numbers.get(word, UNKNOWN) for word in words] or [UNKNOWN]

    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles; see `StyleModel.predict`."""
        import torch

        predicted = np.empty((len(texts), len(self.styles)))
        with torch.inference_mode():
            # One at a time: the last digits of a narrow layer's products depend on a row's place
            # among others, even where batches are of one shape.
            for row, text in enumerate(texts):
                logits = self.network(*padded([self.numbers(text)], PADDING))
                predicted[row] = self.scale.values(logits, graded=self.is_graded)[0]
        return predicted

    def representations(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return what the last layer reads of each text, shape (texts, size)."""
        import torch

        seen: list[Any] = []
        hook = self.network.last.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
        try:
            with torch.inference_mode():
                for text in texts:
                    self.network(*padded([self.numbers(text)], PADDING))
        finally:
            hook.remove()
        return np.asarray(torch.cat(seen).numpy(), dtype=np.float32)

    def write(self, folder: Path) -> None:
        """Write vocabulary and weights."""
        from safetensors.torch import save_file

        (folder / _VOCABULARY).write_text(json.dumps(self.vocabulary), encoding="utf-8")
        save_file(self.network.state_dict(), folder / _WEIGHTS)
        (folder / _GRADES).write_text(json.dumps(asdict(self.scale)), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> Self:
        """Read vocabulary and weights."""
        from safetensors.torch import load_file

        vocabulary = json.loads((folder / _VOCABULARY).read_text(encoding="utf-8"))
        network = cls.make(len(vocabulary) + RESERVED, len(styles), settings)
        network.load_state_dict(load_file(folder / _WEIGHTS))
        scale = Scale(**json.loads((folder / _GRADES).read_text(encoding="utf-8")))
        return cls(styles, settings, vocabulary, network, scale)


def train_network(
    kind: type[WordNetwork],
    labelled: LabelledTexts,
    settings: Settings,
    seed: int,
    report: ProgressCallback,
) -> WordNetwork:
    """Train a network of a kind on labelled texts, from random weights.

    Raises
    ------
    TrainingError
        If no word stands in enough texts.
    """
    report("counting words", 0, len(labelled))
    read = [kind.read_words(text, settings) for text in labelled.texts]
    vocabulary = _vocabulary(read, int(settings["fewest"]))
    scale = Scale.of(labelled)
    steps = Steps.of(settings)
    with seeded(seed):
        network = kind.make(len(vocabulary) + RESERVED, len(labelled.styles), settings)
        model = kind(labelled.styles, settings, vocabulary, network, scale)
        numbers = [model.numbers(text) for text in labelled.texts]

        def loss(rows: list[int]) -> Any:
            logits = network(*padded([numbers[row] for row in rows], PADDING))
            return scale.loss(logits, labelled.targets[rows], graded=labelled.is_graded)

        fit(network, loss, [len(each) for each in numbers], steps, seed, report)
    return model


def last_layer(size: int, outputs: int, settings: Settings) -> Any:
    """Return dropout and a linear layer."""
    from torch import nn

    return nn.Sequential(nn.Dropout(float(settings["dropout"])), nn.Linear(size, outputs))


def words_read(text: str, settings: Settings) -> list[str]:
    """Return the first words and signs of a text, as many as are read."""
    return split_words(text)[: int(settings["tokens"])]


def _vocabulary(read: Iterable[Iterable[str]], fewest: int) -> list[str]:
    """Return the words that occur in enough texts, in the order of the alphabet."""
    texts_with = Counter(word for words in read for word in set(words))
    found = sorted(word for word, texts in texts_with.items() if texts >= fewest)
    if not found:
        raise TrainingError(
            f"no word occurs in {fewest} texts; give more texts or a smaller number"
        )
    return found
