"""A convolutional network over word vectors (Kim 2014)."""

from __future__ import annotations

from functools import partial
from typing import Any

from metrics.scorers.spec import Parameter
from metrics.styles.model import Settings
from metrics.styles.word_network import (
    PADDING,
    WORDS_READ,
    WordNetwork,
    common_parameters,
    last_layer,
    train_network,
    words_read,
)

KIND = "text-cnn"
TITLE = "convolutional network (TextCNN)"
PARAMETERS = (
    *common_parameters(epochs=5, rate=2e-3, dropout=0.5),
    Parameter("filters", 100, "Filters of each width.", minimum=1, maximum=1000),
    Parameter(
        "widest", 5, "Widest filter in words; the narrowest takes 3, or this.", minimum=1,
        maximum=9,
    ),
    WORDS_READ,
)  # fmt: skip
_NARROWEST = 3


def network(words: int, outputs: int, settings: Settings) -> Any:
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


class TextCnn(WordNetwork):
    """The strongest answer of each filter over a text, and a linear layer on all."""

    kind = KIND
    make = staticmethod(network)
    read_words = staticmethod(words_read)


train = partial(train_network, TextCnn)
