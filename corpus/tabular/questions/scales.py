"""Words of usual scales, from `scales.txt`, as numbers."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

_SCALES = Path(__file__).with_name("scales.txt")


@cache
def _usual() -> tuple[tuple[frozenset[str], ...], ...]:
    lines = _SCALES.read_text(encoding="utf-8").splitlines()[1:]
    return tuple(
        tuple(frozenset(step.strip().split(" = ")) for step in line.split("|")) for line in lines
    )


def scales(words: Collection[str], highest: float = 0) -> list[dict[str, float]]:
    """Return what words mean on the usual scales that have all of them, the likely scale first.

    Parameters
    ----------
    words
        In small letters.
    highest
        The highest number among other answers on the scale.

    Examples
    --------
    >>> scales(["agree", "strongly agree", "disagree", "strongly disagree"])[0]["agree"]
    3.0
    >>> scales(["agree", "disagree", "neutral", "strongly agree"])[0]["agree"]
    4.0
    >>> scales(["yes", "no"]), scales(["agree", "yes"])
    ([{'no': 0.0, 'yes': 1.0}], [])
    """
    found: list[tuple[bool, int, dict[str, float]]] = []
    for steps in _usual():
        first = int(len(steps) > 2)
        meant = {
            word: float(n)
            for n, step in enumerate(steps, first)
            for word in sorted(step & {*words})
        }
        if len(meant) == len(set(words)) and highest < len(steps) + first:
            unused = len(steps) - len(set(meant.values()))
            found.append((unused > 0, abs(len(steps) - 5), meant))
    found.sort(key=lambda each: each[:2])
    return [meant for n, (*_, meant) in enumerate(found) if meant not in [m for *_, m in found[:n]]]
