"""The mean of vectors of words and word sequences, like fastText (Joulin et al. 2017)."""

from __future__ import annotations

from functools import partial
from typing import Any

from corpus.texts.masking import split_words
from metrics.scorers.spec import Parameter
from metrics.styles.model import Settings
from metrics.styles.word_network import (
    PADDING,
    UNKNOWN,
    WordNetwork,
    common_parameters,
    last_layer,
    train_network,
)

KIND = "ngram-vectors"
TITLE = "mean of n-gram vectors (like fastText)"
PARAMETERS = (
    *common_parameters(epochs=10, rate=1e-2, dropout=0.0),
    Parameter("longest", 2, "Longest sequence of neighbouring words.", minimum=1, maximum=5),
)
_MOST_WORDS = 512
"""Words of a text that are read."""


def network(words: int, outputs: int, settings: Settings) -> Any:
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


class NgramVectors(WordNetwork):
    """A vector for each word and word sequence of the training texts; unknown ones count nothing.

    fastText hashes sequences into a fixed number of places; here each that occurs often enough
    has its own.
    """

    kind = KIND
    make = staticmethod(network)

    @staticmethod
    def read_words(text: str, settings: Settings) -> list[str]:
        """Return words and sequences of words."""
        words = split_words(text)[:_MOST_WORDS]
        return [
            " ".join(words[start : start + length])
            for length in range(1, int(settings["longest"]) + 1)
            for start in range(len(words) - length + 1)
        ]


train = partial(train_network, NgramVectors)
