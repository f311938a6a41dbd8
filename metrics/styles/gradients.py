"""Training a network by its gradients: the loop that every kind of network shares."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from corpus.progress import ProgressCallback
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Value
from metrics.styles.labelled import LabelledTexts, TrainingError

SORTED_TOGETHER = 50
"""Batches among which texts are sorted by length, so that padding is short and order random."""
WARM_UP = 0.1


@dataclass(frozen=True)
class Scale:
    """What grades are measured from and in: training wants numbers of size one."""

    centre: float = 0.0
    spread: float = 1.0

    @classmethod
    def of(cls, labelled: LabelledTexts) -> "Scale":
        """Return the scale of graded texts; of styles the one that changes nothing."""
        if not labelled.is_graded:
            return cls()
        return cls(float(labelled.targets.mean()), float(labelled.targets.std()))

    def loss(self, logits: Any, targets: Floats, *, graded: bool) -> Any:
        """Return cross-entropy, or the squared error of standardised grades."""
        import torch

        if graded:
            wanted = torch.as_tensor((targets - self.centre) / self.spread).to(logits)
            return torch.nn.functional.mse_loss(logits[:, 0], wanted)
        columns = torch.as_tensor(targets, dtype=torch.long, device=logits.device)
        return torch.nn.functional.cross_entropy(logits, columns)

    def values(self, logits: Any, *, graded: bool) -> Floats:
        """Return probabilities, or grades in their own units."""
        import torch

        found = logits.double()
        values = found * self.spread + self.centre if graded else torch.softmax(found, dim=1)
        return np.asarray(values.cpu().numpy(), dtype=np.float64)


UNSCALED = Scale()


@dataclass(frozen=True)
class Steps:
    """How a network is trained.

    Attributes
    ----------
    epochs, batch
        How often each text is seen, and with how many others at a time.
    rate
        Learning rate at its highest.
    weight_decay
        Of AdamW (Loshchilov and Hutter 2019).
    """

    epochs: int
    batch: int
    rate: float
    weight_decay: float

    @classmethod
    def of(cls, settings: Mapping[str, Value]) -> "Steps":
        """Read them from the settings of a model."""
        return cls(
            int(settings["epochs"]),
            int(settings["batch"]),
            float(settings["rate"]),
            float(settings["weight_decay"]),
        )


@dataclass(frozen=True)
class Epoch:
    """What one pass over the texts came to.

    Attributes
    ----------
    number
        Counted from 1; 0 is the model before any training.
    train_loss
        Mean loss in training, dropout included; None before training.
    valid_loss
        The loss on validation texts, without dropout; None where there are none.
    """

    number: int
    train_loss: float | None
    valid_loss: float | None


@dataclass(frozen=True)
class EarlyStopping:
    """Training ends after some epochs without a lower loss; the best weights are kept.

    Attributes
    ----------
    loss
        Of the validation texts.
    patience
        Epochs without a lower one.
    """

    loss: Callable[[], float]
    patience: int


def fit(
    network: Any,
    loss_of: Callable[[list[int]], Any],
    lengths: Sequence[int],
    steps: Steps,
    seed: int,
    report: ProgressCallback,
    stopping: EarlyStopping | None = None,
) -> tuple[list[Epoch], int]:
    """Train a network.

    AdamW with a learning rate that rises over the first tenth of the steps and falls to zero
    (Devlin et al. 2019). The same seed gives the same network on the same machine, inside
    `seeded`.

    Parameters
    ----------
    network
        A module of torch.
    loss_of
        Returns the loss of some rows.
    lengths
        Of all rows: those of about one length are in one batch.
    steps, seed
        How.
    report
        Is called with the progress; raises to stop.
    stopping
        When to stop before the last epoch.

    Returns
    -------
    tuple
        The epochs, and the number of the one whose weights the network has.

    Raises
    ------
    TrainingError
        If the loss on validation texts is no number.
    """
    import torch

    total = steps.epochs * -(-len(lengths) // steps.batch)
    trained = {name: each for name, each in network.named_parameters() if each.requires_grad}
    optimizer = torch.optim.AdamW(trained.values(), lr=steps.rate, weight_decay=steps.weight_decay)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: slope(step, total))
    generator = np.random.default_rng(seed)
    epochs, kept, best, lowest, done = list[Epoch](), dict[str, Any](), 0, np.inf, 0
    for number in range(1, steps.epochs + 1):
        network.train()
        losses = []
        for rows in batches(lengths, steps.batch, generator):
            report(f"epoch {number} of at most {steps.epochs}, step", done, total)
            optimizer.zero_grad()
            loss = loss_of(rows)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained.values(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.detach())
            done += 1
        network.eval()
        train_loss = math.fsum(map(float, losses)) / len(losses)
        if stopping is None:
            epochs.append(Epoch(number, train_loss, None))
            best = number
            continue
        report(f"judging epoch {number}", done, total)
        valid_loss = stopping.loss()
        if not math.isfinite(valid_loss):
            raise TrainingError("the loss is no number any more; choose a lower learning rate")
        epochs.append(Epoch(number, train_loss, valid_loss))
        if valid_loss < lowest:
            kept = {name: each.detach().clone() for name, each in trained.items()}
            best, lowest = number, valid_loss
        if number - best >= stopping.patience:
            break
    with torch.no_grad():
        for name, each in kept.items():
            trained[name].copy_(each)
    return epochs, best


def slope(step: int, steps: int) -> float:
    """Return the share of the learning rate at a step."""
    rising = max(1, round(WARM_UP * steps))
    return min((step + 1) / rising, (steps - step) / max(1, steps - rising))


def batches(
    lengths: Sequence[int], size: int, generator: np.random.Generator
) -> Iterator[list[int]]:
    """Yield rows in random order, those of about the same length together."""
    order = generator.permutation(len(lengths))
    grouped: list[list[int]] = []
    for start in range(0, len(order), size * SORTED_TOGETHER):
        some = sorted(
            order[start : start + size * SORTED_TOGETHER].tolist(), key=lambda row: lengths[row]
        )
        grouped += [some[place : place + size] for place in range(0, len(some), size)]
    for place in generator.permutation(len(grouped)).tolist():
        yield grouped[place]


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draw new weights and dropout from a seed, and leave the process's generator as it was."""
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield


def vocabulary_of(read: Iterable[Sequence[str]], fewest: int) -> list[str]:
    """Return the words that occur in enough texts, in the order of the alphabet."""
    texts_with = Counter(word for words in read for word in set(words))
    found = sorted(word for word, texts in texts_with.items() if texts >= fewest)
    if not found:
        raise TrainingError(
            f"no word occurs in {fewest} texts; give more texts or a smaller number"
        )
    return found
