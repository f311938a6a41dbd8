"""Training a network by its gradients: the loop that every kind of network shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from corpus.progress import ProgressCallback
from metrics.scorers.scorer import Floats
from metrics.styles.labelled import LabelledTexts

SORTED_TOGETHER = 50
"""Batches among which texts are sorted by length, so that padding is short and order random."""
WARM_UP = 0.1


@dataclass(frozen=True)
class Scale:
    """What grades are measured from and in: training wants numbers of size one."""

    centre: float = 0.0
    spread: float = 1.0

    @classmethod
    def of(cls, labelled: LabelledTexts) -> Scale:
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


def fit(
    network: Any,
    loss_of: Callable[[list[int]], Any],
    lengths: Sequence[int],
    steps: Steps,
    seed: int,
    report: ProgressCallback,
    reached: Callable[[], bool] = lambda: False,
) -> None:
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
        Hears the progress.
    reached
        Is asked after each epoch whether to stop before the last.
    """
    import torch

    total = steps.epochs * -(-len(lengths) // steps.batch)
    optimizer = torch.optim.AdamW(
        network.parameters(), lr=steps.rate, weight_decay=steps.weight_decay
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: slope(step, total))
    generator = np.random.default_rng(seed)
    network.train()
    done = 0
    for _ in range(steps.epochs):
        for rows in batches(lengths, steps.batch, generator):
            report("training, step", done, total)
            optimizer.zero_grad()
            loss_of(rows).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            done += 1
        if reached():
            break
    network.eval()


def slope(step: int, steps: int) -> float:
    """Return the share of the learning rate at a step."""
    rising = max(1, round(WARM_UP * steps))
    return min((step + 1) / rising, (steps - step) / max(1, steps - rising))


def batches(
    lengths: Sequence[int], size: int, generator: np.random.Generator
) -> Iterator[list[int]]:
    """Yield rows in random order, those of about the same length together."""
    order = generator.permutation(len(lengths))
    made: list[list[int]] = []
    for start in range(0, len(order), size * SORTED_TOGETHER):
        some = sorted(
            order[start : start + size * SORTED_TOGETHER].tolist(), key=lambda row: lengths[row]
        )
        made += [some[place : place + size] for place in range(0, len(some), size)]
    for place in generator.permutation(len(made)).tolist():
        yield made[place]


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draw new weights and dropout from a seed, and leave the process's generator as it was."""
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield
