"""An LSTM that predicts each word of a text from those before it (Mikolov et al. 2010)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from corpus.progress import ProgressCallback
from metrics.language_models.batching import padded
from metrics.scorers.spec import Parameter, Value
from metrics.styles.gradients import EarlyStopping, Steps, fit, seeded, vocabulary_of
from metrics.styles.labelled import held_out_places

PADDING, UNKNOWN, END, RESERVED = 0, 1, 2, 3
"""Numbers of no word, of any word that is not known, of both ends of a text, and of the first word
of the vocabulary."""
PARAMETERS = (
    Parameter("fewest", 2, "In how many texts a word must occur.", minimum=1, maximum=1000),
    Parameter("size", 100, "Numbers of a word's vector.", minimum=1, maximum=1000),
    Parameter("hidden", 200, "Numbers of the state.", minimum=1, maximum=2000),
    Parameter("epochs", 10, "How often each text is seen at most.", minimum=1, maximum=200),
    Parameter("batch", 32, "Texts in one step of training.", minimum=1, maximum=1024),
    Parameter("rate", 5e-3, "Learning rate at its highest.", minimum=1e-7, maximum=1.0),
    Parameter("dropout", 0.3, "Share of numbers left out in training.", minimum=0.0, maximum=0.9),
    Parameter("weight_decay", 0.01, "Penalty on large weights.", minimum=0.0, maximum=1.0),
    Parameter("held_out", 0.1, "Share of texts that say when to stop.", minimum=0.01, maximum=0.5),
    Parameter("patience", 2, "Epochs without a better model until the end.", minimum=1, maximum=50),
    Parameter("seed", 0, "Of weights, order and dropout.", minimum=0, maximum=2**31),
)
LONGEST = 256
"""Words of a text that are trained on, and the one behind them; all of a scored text are read."""


class LstmLanguageModel:
    """A vocabulary and a network that gives logits of the next word at each place.

    Parameters
    ----------
    vocabulary
        Words in the order of their numbers.
    network
        A module of torch: from numbers of words, texts × places, to texts × places × words.
    """

    def __init__(self, vocabulary: Sequence[str], network: Any) -> None:
        self.vocabulary = tuple(vocabulary)
        self.network = network.eval()
        self._numbers = {word: row for row, word in enumerate(self.vocabulary, RESERVED)}

    def numbers(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of words between two ends."""
        return [END, *(self._numbers.get(word, UNKNOWN) for word in words), END]

    def negative_log_likelihood(self, words: Sequence[str]) -> float:
        """Return −ln P of a sentence of these words, its end included."""
        import torch

        # One at a time, without padding: see `WordNetwork.predict`.
        numbers = torch.tensor([self.numbers(words)])
        with torch.inference_mode():
            losses = _losses(self.network, numbers)
        return float(losses.double().sum())


def network(words: int, settings: Mapping[str, Value]) -> Any:
    """Return a new module for so many words, the reserved ones included."""
    from torch import nn

    size, hidden = int(settings["size"]), int(settings["hidden"])

    class NextWord(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.vectors = nn.Embedding(words, size, padding_idx=PADDING)
            self.states = nn.LSTM(size, hidden, batch_first=True)
            self.dropout = nn.Dropout(float(settings["dropout"]))
            self.last = nn.Linear(hidden, words)

        def forward(self, numbers: Any) -> Any:
            states, _ = self.states(self.dropout(self.vectors(numbers)))
            return self.last(self.dropout(states))

    return NextWord()


def train(
    sentences: Iterable[Sequence[str]], settings: Mapping[str, Value], report: ProgressCallback
) -> LstmLanguageModel:
    """Train a model on sentences, until those held out are predicted no better.

    The weights of the epoch with the lowest loss on held-out sentences are kept. The same seed
    gives the same model on the same machine.

    Parameters
    ----------
    sentences
        Words of each; empty ones are left out.
    settings
        Of `PARAMETERS`.
    report
        Is called with the progress; raises to stop.

    Raises
    ------
    ValueError
        If there are not two different sentences, or no word is in enough of them.
    """
    read = [tuple(words[: LONGEST + 1]) for words in sentences if words]
    seed = int(settings["seed"])
    shown, held_out = _divided(read, float(settings["held_out"]), seed)
    vocabulary = vocabulary_of(shown, int(settings["fewest"]))
    steps = Steps.of(settings)
    with seeded(seed):
        model = LstmLanguageModel(vocabulary, network(len(vocabulary) + RESERVED, settings))
        # Where a text is cut off, it does not end.
        numbers, others = (
            [model.numbers(words)[: LONGEST + 2] for words in part] for part in (shown, held_out)
        )

        def loss(rows: list[int]) -> Any:
            ids, _ = padded([numbers[row] for row in rows], PADDING)
            return _losses(model.network, ids).sum() / sum(len(numbers[row]) - 1 for row in rows)

        def held_out_loss() -> float:
            return _total_loss(model.network, others, steps.batch)

        stopping = EarlyStopping(held_out_loss, int(settings["patience"]))
        fit(model.network, loss, [len(each) for each in numbers], steps, seed, report, stopping)
    return model


def _total_loss(network: Any, numbers: Sequence[list[int]], batch: int) -> float:
    import torch

    total = 0.0
    with torch.inference_mode():
        for start in range(0, len(numbers), batch):
            ids, _ = padded(numbers[start : start + batch], PADDING)
            total += float(_losses(network, ids).double().sum())
    return total


def _losses(network: Any, numbers: Any) -> Any:
    """Return −ln P of every word but the first; 0 where there is none."""
    from torch.nn import functional

    logits = network(numbers[:, :-1]).transpose(1, 2)
    return functional.cross_entropy(logits, numbers[:, 1:], ignore_index=PADDING, reduction="none")


def _divided(
    sentences: Sequence[tuple[str, ...]], share: float, seed: int
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return sentences to train on and held-out ones; copies of one stay together."""
    different = sorted(set(sentences))
    if len(different) < 2:
        raise ValueError(
            "no sentence has a word: there is nothing to train on"
            if not different
            else "all sentences are the same; give at least two, one of which is held out"
        )
    places = held_out_places(len(different), share, np.random.default_rng(seed))
    held_out = {different[place] for place in places}
    shown = [words for words in sentences if words not in held_out]
    return shown, [words for words in sentences if words in held_out]
