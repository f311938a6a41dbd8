"""A bidirectional LSTM over word vectors (Hochreiter and Schmidhuber 1997)."""

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

KIND = "lstm"
TITLE = "bidirectional LSTM"
PARAMETERS = (
    *common_parameters(epochs=5, rate=2e-3),
    Parameter("hidden", 100, "Numbers of the state, each way.", minimum=1, maximum=1000),
    WORDS_READ,
)


def network(words: int, outputs: int, settings: Settings) -> Any:
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


class Lstm(WordNetwork):
    """The last states of an LSTM in each direction, and a linear layer on both."""

    kind = KIND
    make = staticmethod(network)
    read_words = staticmethod(words_read)


train = partial(train_network, Lstm)
