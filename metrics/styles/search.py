"""A small search over settings: each is tried, and a validation split chooses among them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from corpus.progress import ProgressCallback
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Parameter, Value
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.model import Settings, StyleModel

MOST_TRIED = 100
"""Combinations of settings that one search tries."""


@dataclass(frozen=True)
class Tried:
    """One combination of settings, and how well it did on the validation split.

    Attributes
    ----------
    settings
        What was varied.
    score
        Accuracy; of grades the rank correlation, None where it is undefined.
    loss
        Mean negative log probability of the stated style; of grades the root mean squared error.
    texts
        Of the validation split.
    fold
        Which fold's model it was tried for, counted from 1; 0 without folds.
    is_chosen
        Whether it did best: by score, then by loss, then by place.
    """

    settings: dict[str, Value]
    score: float | None
    loss: float
    texts: int
    fold: int = 0
    is_chosen: bool = False


def read_search(
    kind: type[StyleModel], given: Mapping[str, Sequence[object]]
) -> dict[str, list[Value]]:
    """Return the values that a search tries, each as its setting takes it.

    Raises
    ------
    TrainingError
        If a name is unknown, or has no value.
    ParameterError
        If a value is not taken.
    """
    known: dict[str, Parameter] = {each.name: each for each in kind.parameters}
    found = dict[str, list[Value]]()
    for name, values in given.items():
        if name not in known:
            raise TrainingError(
                f"search: {kind.kind} has no setting {name!r}; it takes {', '.join(known)}"
            )
        found[name] = list(dict.fromkeys(known[name].read(value) for value in values))
        if not found[name]:
            raise TrainingError(f"search: give at least one value of {name}")
    return found


def read_lines(text: str) -> dict[str, list[str]]:
    """Read a search as people write it: a setting and its values in each line.

    Raises
    ------
    TrainingError
        If a line is something else.

    Examples
    --------
    >>> read_lines("rate = 0.01, 0.001")
    {'rate': ['0.01', '0.001']}
    """
    found = dict[str, list[str]]()
    for line in filter(None, map(str.strip, text.splitlines())):
        name, equals, values = map(str.strip, line.partition("="))
        if not equals or not name or name in found:
            raise TrainingError(
                f"search: found {line[:100]!r}, expected one line NAME = VALUE, VALUE for each "
                "setting"
            )
        found[name] = [value for value in map(str.strip, values.split(",")) if value]
    return found


def combinations(
    settings: Settings, values: Mapping[str, Sequence[Value]], most: int, seed: int
) -> list[dict[str, Value]]:
    """Return the combinations that are tried, each with every setting.

    Parameters
    ----------
    settings
        What is not varied.
    values
        What is.
    most
        How many are drawn from the grid at random (Bergstra and Bengio 2012), in its order; 0 for
        the whole grid.
    seed
        Of the draw.

    Raises
    ------
    TrainingError
        If there are more than `MOST_TRIED`.
    """
    total = math.prod(map(len, values.values()))
    count = min(most, total) if most else total
    if count > MOST_TRIED:
        raise TrainingError(
            f"search: {count:,} combinations of settings, and at most {MOST_TRIED} are tried; give "
            "fewer values, or say how many are sampled"
        )
    if total > 10**6:
        raise TrainingError("search: give fewer values")
    grid = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    if count < total:
        drawn = np.sort(np.random.default_rng(seed).choice(total, count, replace=False))
        grid = [grid[place] for place in drawn.tolist()]
    return [{**settings, **varied} for varied in grid]


def search(
    kind: type[StyleModel],
    train: LabelledTexts,
    valid: LabelledTexts,
    tried: Sequence[Settings],
    varied: Sequence[str],
    seed: int,
    report: ProgressCallback,
) -> tuple[StyleModel, list[Tried]]:
    """Train a model with each combination of settings, and return the best on `valid`.

    Parameters
    ----------
    kind, train, seed, report
        As `StyleModel.train` takes them.
    valid
        Texts that no model is trained on, and that only choose.
    tried
        From `combinations`.
    varied
        Names of the settings in which they differ.
    """
    rows, best, best_key = list[Tried](), None, (math.inf, math.inf)
    chosen = 0
    for number, settings in enumerate(tried):
        model = kind.train(train, settings, seed, _numbered(report, number, len(tried)))
        score, loss = _how_good(valid, model.predict(valid.texts))
        rows.append(Tried({name: settings[name] for name in varied}, score, loss, len(valid)))
        key = (-score if score is not None else math.inf, loss)
        if best is None or key < best_key:
            best, best_key, chosen = model, key, number
    if best is None:
        raise ValueError("no settings to try")
    rows[chosen] = replace(rows[chosen], is_chosen=True)
    return best, rows


def _how_good(valid: LabelledTexts, predicted: Floats) -> tuple[float | None, float]:
    from scipy.stats import spearmanr

    if valid.is_graded:
        error = float(np.sqrt(np.mean((predicted[:, 0] - valid.targets) ** 2)))
        varied = len(valid) > 2 and np.ptp(valid.targets) and np.ptp(predicted)
        return (
            float(spearmanr(valid.targets, predicted[:, 0]).statistic) if varied else None
        ), error
    stated = predicted[np.arange(len(valid)), valid.columns]
    loss = float(-np.log(np.maximum(stated, np.finfo(float).tiny)).mean())
    return float((predicted.argmax(axis=1) == valid.columns).mean()), loss


def _numbered(report: ProgressCallback, number: int, count: int) -> ProgressCallback:
    def numbered(message: str, done: int, total: int) -> object:
        return report(f"settings {number + 1} of {count}: {message}", done, total)

    return numbered
