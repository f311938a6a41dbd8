"""Small networks on a vocabulary of their training texts: LSTM, TextCNN and n-gram vectors."""

import json
from abc import abstractmethod
from collections.abc import Sequence
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
from metrics.styles.gradients import Scale, Steps, fit, seeded, vocabulary_of
from metrics.styles.labelled import LabelledTexts
from metrics.styles.model import Settings, StyleModel

PADDING, UNKNOWN, RESERVED = 0, 1, 2
"""Numbers that stand for no word, for any word that is not known, and where known ones begin."""
_VOCABULARY, _WEIGHTS, _GRADES = "vocabulary.json", "weights.safetensors", "grades.json"


def common_parameters(*, epochs: int, rate: float, dropout: float = 0.3) -> tuple[Parameter, ...]:
    """Return the settings of every such network, with a kind's own defaults."""
    return (
        Parameter("fewest", 1, "In how many texts a word must occur.", minimum=1, maximum=1000),
        Parameter("size", 100, "Numbers of a word's vector.", minimum=1, maximum=1000),
        Parameter("epochs", epochs, "How often each text is seen.", minimum=1, maximum=200),
        Parameter("batch", 32, "Texts in one step of training.", minimum=1, maximum=1024),
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
    def read_words(text: str, settings: Settings) -> list[str]:
        """Return what of a text stands in vocabularies: its first words and signs."""
        return split_words(text)[: int(settings["tokens"])]

    @classmethod
    def train(
        cls, labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
    ) -> Self:
        """Train a network on labelled texts, from random weights."""
        report("counting words", 0, len(labelled))
        read = [cls.read_words(text, settings) for text in labelled.texts]
        vocabulary = vocabulary_of(read, int(settings["fewest"]))
        scale = Scale.of(labelled)
        steps = Steps.of(settings)
        with seeded(seed):
            network = cls.make(len(vocabulary) + RESERVED, len(labelled.styles), settings)
            model = cls(labelled.styles, settings, vocabulary, network, scale)
            numbers = [model.numbers(text) for text in labelled.texts]

            def loss(rows: list[int]) -> Any:
                logits = network(*padded([numbers[row] for row in rows], PADDING))
                return scale.loss(logits, labelled.targets[rows], graded=labelled.is_graded)

            fit(network, loss, [len(each) for each in numbers], steps, seed, report)
        return model

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of a text's words; there is at least one."""
        words = self.read_words(text, self.settings)
        return [self._numbers.get(word, UNKNOWN) for word in words] or [UNKNOWN]

    def values(self, texts: Sequence[str]) -> Floats:
        """See `StyleModel.values`."""
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


def last_layer(size: int, outputs: int, settings: Settings) -> Any:
    """Return dropout and a linear layer."""
    from torch import nn

    return nn.Sequential(nn.Dropout(float(settings["dropout"])), nn.Linear(size, outputs))


class Lstm(WordNetwork):
    """The last states of an LSTM in each direction, and a linear layer on both."""

    kind = "lstm"
    title = "bidirectional LSTM"
    parameters = (
        *common_parameters(epochs=5, rate=2e-3),
        Parameter("hidden", 100, "Numbers of the state, each way.", minimum=1, maximum=1000),
        WORDS_READ,
    )
    most = 20_000

    @staticmethod
    def make(words: int, outputs: int, settings: Settings) -> Any:
        """Return the module: each way an LSTM, whose last states a linear layer reads."""
        import torch
        from torch import nn

        size, hidden = int(settings["size"]), int(settings["hidden"])

        class Bidirectional(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.vectors = nn.Embedding(words, size, padding_idx=PADDING)
                self.forwards = nn.LSTM(size, hidden, batch_first=True)
                self.backwards = nn.LSTM(size, hidden, batch_first=True)
                self.dropout = nn.Dropout(float(settings["dropout"]))
                self.last = last_layer(2 * hidden, outputs, settings)

            def forward(self, numbers: Any, mask: Any) -> Any:
                lengths = mask.sum(dim=1)
                places = torch.arange(numbers.shape[1])
                # Each text is reversed within its own length, so that padding stays behind it.
                reverse = (lengths[:, None] - 1 - places).where(mask.bool(), places)
                read = self.dropout(self.vectors(numbers))
                read_back = read.gather(1, reverse[:, :, None].expand_as(read))
                ends = (lengths - 1)[:, None, None].expand(-1, 1, hidden)
                states = [
                    layer(given)[0].gather(1, ends)[:, 0]
                    for layer, given in ((self.forwards, read), (self.backwards, read_back))
                ]
                return self.last(torch.cat(states, dim=1))

        return Bidirectional()


_NARROWEST = 3


class TextCnn(WordNetwork):
    """The strongest answer of each filter over a text, and a linear layer on all."""

    kind = "text-cnn"
    title = "convolutional network (TextCNN)"
    parameters = (
        *common_parameters(epochs=5, rate=2e-3, dropout=0.5),
        Parameter("filters", 100, "Filters of each width.", minimum=1, maximum=1000),
        Parameter(
            "widest",
            5,
            "Widest filter in words; the narrowest takes 3, or this.",
            minimum=1,
            maximum=9,
        ),
        WORDS_READ,
    )
    most = 20_000

    @staticmethod
    def make(words: int, outputs: int, settings: Settings) -> Any:
        """Return the module: filters of several widths, the largest value of each over the text."""
        import torch
        from torch import nn

        size, filters = int(settings["size"]), int(settings["filters"])
        widest = int(settings["widest"])
        widths = range(min(_NARROWEST, widest), widest + 1)

        class Convolutions(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.vectors = nn.Embedding(words, size, padding_idx=PADDING)
                self.filters = nn.ModuleList(nn.Conv1d(size, filters, width) for width in widths)
                self.last = last_layer(filters * len(widths), outputs, settings)

            def forward(self, numbers: Any, mask: Any) -> Any:
                read = self.vectors(numbers).transpose(1, 2)
                pooled = []
                for width, layer in zip(widths, self.filters, strict=True):
                    # A window begins at each word of a text, however far the text is padded.
                    found = torch.relu(layer(nn.functional.pad(read, (0, width - 1))))
                    pooled.append((found * mask[:, None, :]).amax(dim=2))
                return self.last(torch.cat(pooled, dim=1))

        return Convolutions()


_MOST_WORDS = 512
"""Words of a text that are read."""


class NgramVectors(WordNetwork):
    """A vector for each word and word sequence of the training texts; unknown ones count nothing.

    fastText hashes sequences into a fixed number of places; here each that occurs often enough
    has its own.
    """

    kind = "ngram-vectors"
    title = "mean of n-gram vectors (like fastText)"
    parameters = (
        *common_parameters(epochs=10, rate=1e-2, dropout=0.0),
        Parameter("longest", 2, "Longest sequence of neighbouring words.", minimum=1, maximum=5),
    )
    most = 60_000

    @staticmethod
    def make(words: int, outputs: int, settings: Settings) -> Any:
        """Return the module: the mean of the vectors of what is known, and a linear layer."""
        from torch import nn

        size = int(settings["size"])

        class Mean(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.vectors = nn.Embedding(words, size, padding_idx=PADDING)
                nn.init.uniform_(self.vectors.weight, -1 / size, 1 / size)
                self.last = last_layer(size, outputs, settings)

            def forward(self, numbers: Any, mask: Any) -> Any:
                known = (numbers > UNKNOWN)[:, :, None]
                total = (self.vectors(numbers) * known).sum(dim=1)
                return self.last(total / known.sum(dim=1).clamp(min=1))

        return Mean()

    @staticmethod
    def read_words(text: str, settings: Settings) -> list[str]:
        """Return words and sequences of words."""
        words = split_words(text)[:_MOST_WORDS]
        return [
            " ".join(words[start : start + length])
            for length in range(1, int(settings["longest"]) + 1)
            for start in range(len(words) - length + 1)
        ]
