"""Fine-tuning a model on pairs, whole or by low-rank adapters, until it no longer gets better."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpus.progress import ProgressCallback
from metrics.scorers.spec import Parameter, ParameterError, Value, read_parameters
from metrics.styles.gradients import EarlyStopping, Epoch, Steps, fit, seeded
from metrics.tuning import bases
from metrics.tuning.bases import Base, padded_batch, with_adapters
from metrics.tuning.pairs import DividedPairs, without_long
from metrics.weights import smollm2

LORA, WHOLE = "lora", "whole"
METHODS = {LORA: "low-rank adapters (LoRA)", WHOLE: "all weights"}
PARAMETERS = (
    Parameter(
        "base",
        smollm2.NAME,
        "The model that is trained: smollm2, or one that the administrator lists, causal or "
        "sequence-to-sequence.",
    ),
    Parameter(
        "method",
        LORA,
        "Train low-rank adapters of all linear layers, which are small and quick; or all weights.",
        choices=tuple(METHODS),
    ),
    Parameter("rank", 8, "Of adapters: the rank of each change.", minimum=1, maximum=256),
    Parameter(
        "alpha", 16.0, "Of adapters: a change is scaled by this over its rank.", minimum=0.1,
        maximum=1024,
    ),
    Parameter("epochs", 5, "How often each pair is seen at most.", minimum=1, maximum=100),
    Parameter(
        "patience",
        1,
        "Training stops after so many epochs without a lower validation loss.",
        minimum=1,
        maximum=100,
    ),
    Parameter("batch", 8, "Pairs in one step of training.", minimum=1, maximum=256),
    Parameter("rate", 2e-4, "Learning rate at its highest.", minimum=1e-7, maximum=1e-1),
    Parameter("weight_decay", 0.01, "Penalty on large weights.", minimum=0.0, maximum=1.0),
    Parameter(
        "dropout", 0.05, "Of adapters: share of numbers left out in training.", minimum=0.0,
        maximum=0.9,
    ),
    Parameter(
        "tokens", 128, "Pairs with more tokens, of source and target together, are left out.",
        minimum=8, maximum=2048,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Tuned:
    """A fine-tuned model and how its training went.

    Attributes
    ----------
    base
        The model, with the weights of its best epoch.
    settings
        Every setting.
    files
        Files of the base before training, with their hashes.
    pairs
        What it was trained on and judged by.
    epochs, best
        Every epoch, and the number of the one whose weights are kept.
    """

    base: Base
    settings: Mapping[str, Value]
    files: Mapping[str, str]
    pairs: DividedPairs
    epochs: tuple[Epoch, ...]
    best: int

    def report(self) -> dict[str, Any]:
        """Return how training went, as JSON can hold it."""
        return {
            "trained_on": len(self.pairs.train),
            "texts": len(self.pairs.valid),
            "left_out": asdict(self.pairs.left_out),
            "epochs": [asdict(each) for each in self.epochs],
            "best": self.best,
        }


def read_settings(given: Mapping[str, object]) -> dict[str, Value]:
    """Return the value of every setting, defaults filled in.

    Raises
    ------
    ParameterError
        If a name is unknown or a value is not taken.
    """
    read = read_parameters("a writer", PARAMETERS, given)
    if read["base"] not in bases.offered():
        raise ParameterError(
            f"base: found {str(read['base'])[:100]!r}, expected one of {', '.join(bases.offered())}"
        )
    return read


def tune(
    pairs: DividedPairs,
    settings: Mapping[str, Value],
    seed: int,
    report: ProgressCallback,
    cache: Path | None = None,
) -> Tuned:
    """Fine-tune a model on pairs.

    Cross-entropy of the targets' tokens; AdamW with a rising and falling learning rate; the
    weights of the epoch with the lowest validation loss are kept (early stopping). LoRA: Hu et
    al. 2022. The same seed gives the same model on the same machine.

    Parameters
    ----------
    pairs
        To train on, and to judge by.
    settings
        From `read_settings`.
    seed
        Decides new weights, dropout and the order of pairs.
    report
        Is called with the progress; raises to stop.
    cache
        Folder in which converted weights of bases are kept.

    Raises
    ------
    TrainingError
        If too few pairs are short enough, or the loss is no number.
    Unavailable
        If the base or a library is not installed.
    """
    name = str(settings["base"])
    report("loading the model", 0, 0)
    files = bases.file_hashes(name)
    base = bases.load(name, cache)
    longest = min(int(settings["tokens"]), base.limit)
    fitting = without_long(
        pairs,
        [
            [len(base.question(pair)) + len(base.answer(pair)) > longest for pair in some]
            for some in (pairs.train, pairs.valid)
        ],
    )
    with seeded(seed):
        if settings["method"] == LORA:
            base.network = with_adapters(base.network, settings, name)
        epochs, best = _fit(base, fitting, settings, seed, report)
    return Tuned(base, settings, files, fitting, epochs, best)


def _fit(
    base: Base,
    pairs: DividedPairs,
    settings: Mapping[str, Value],
    seed: int,
    report: ProgressCallback,
) -> tuple[tuple[Epoch, ...], int]:
    """Train; leave the weights of the best epoch in the network."""
    network, steps = base.network, Steps.of(settings)
    examples = [base.example(pair) for pair in pairs.train]
    judged = [base.example(pair) for pair in pairs.valid]

    def loss(rows: list[int]) -> Any:
        return network(**padded_batch(base, [examples[row] for row in rows])).loss

    def valid_loss() -> float:
        return _loss(base, judged, steps.batch)

    report("judging the untrained model", 0, 0)
    untrained = Epoch(0, None, valid_loss())
    stopping = EarlyStopping(valid_loss, int(settings["patience"]))
    # A model that is worse than before training is kept too, and described as such.
    lengths = [len(read) for read, _ in examples]
    epochs, best = fit(network, loss, lengths, steps, seed, report, stopping)
    return (untrained, *epochs), best


def _loss(base: Base, examples: Sequence[tuple[list[int], list[int]]], size: int) -> float:
    """Return the mean −ln P of a token that shall be written."""
    import torch

    base.network.eval()
    total, tokens = 0.0, 0
    with torch.inference_mode():
        for start in range(0, len(examples), size):
            some = examples[start : start + size]
            count = sum(label != bases.IGNORED for _, labels in some for label in labels)
            total += count * float(base.network(**padded_batch(base, some)).loss)
            tokens += count
    return total / tokens
