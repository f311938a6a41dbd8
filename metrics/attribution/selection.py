"""Which words are style words: the strongest, up to a share of all attribution."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.attribution.words import Unit

ROUNDING = 1e-9
"""So that shares such as .1 + .2 reach a threshold of .3."""


def select(units: Sequence[Unit], threshold: float, *, at_least_one: bool = True) -> list[Unit]:
    """Choose units in falling order of their shares while the cumulative share stays within.

    The strongest is always chosen, by the rule of the report of 2022.

    Parameters
    ----------
    units
        With their shares.
    threshold
        Largest cumulative share, 0 to 1; the literature tries .1 to .5.
    at_least_one
        Whether the strongest unit is chosen even if it alone exceeds the threshold. Without it, a
        text whose style hangs on one word keeps that word.

    Returns
    -------
    list of Unit
        In falling order of shares; of equal shares the earlier unit comes first. The first unit
        that does not fit ends the choice, even if a weaker one would fit. Units without any
        attribution are never chosen.

    Raises
    ------
    ValueError
        If the threshold is not between 0 and 1.

    Examples
    --------
    >>> words = [Unit(0, 1, 2.0, 0.2), Unit(2, 3, 7.0, 0.7), Unit(4, 5, -1.0, 0.1)]
    >>> [unit.start for unit in select(words, 0.5)]
    [2]
    >>> select(words, 0.5, at_least_one=False)
    []
    >>> [unit.start for unit in select(words, 0.9)]
    [2, 0]
    """
    if not 0 <= threshold <= 1:
        raise ValueError(f"threshold {threshold}: expected a share from 0 to 1")
    chosen: list[Unit] = []
    cumulative = 0.0
    for unit in sorted(units, key=lambda each: -each.share):
        cumulative += unit.share
        is_within = cumulative <= threshold + ROUNDING
        if not unit.share or not (is_within or (at_least_one and not chosen)):
            break
        chosen.append(unit)
        if not is_within:
            break
    return chosen
