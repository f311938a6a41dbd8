"""Where two computations of one report differ."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

TOLERANCE = 1e-12
"""Relative difference that another machine or another version of a library may make."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place at which a report came out otherwise.

    Attributes
    ----------
    place
        Path through the report, such as ``rows/3/results/asked/value``.
    frozen, now
        What was kept, and what came out.
    relative
        |now − frozen| / max(|now|, |frozen|) of two numbers; infinite for anything else.
    """

    place: str
    frozen: Any
    now: Any
    relative: float = math.inf

    @property
    def is_within(self) -> bool:
        """Whether rounding explains it."""
        return self.relative <= TOLERANCE


def differences(frozen: Any, now: Any, place: str = "") -> Iterator[Difference]:
    """Yield every place at which two JSON documents differ, bit by bit.

    Examples
    --------
    >>> [each.place for each in differences({"r": [1.0, 2.0]}, {"r": [1.0, 2.5], "n": 3})]
    ['n', 'r/1']
    """
    if isinstance(frozen, dict) and isinstance(now, dict):
        for name in sorted(frozen.keys() | now.keys()):
            inner = f"{place}/{name}" if place else str(name)
            if name in frozen and name in now:
                yield from differences(frozen[name], now[name], inner)
            else:
                yield Difference(inner, frozen.get(name, "(absent)"), now.get(name, "(absent)"))
    elif isinstance(frozen, list) and isinstance(now, list) and len(frozen) == len(now):
        for index, (left, right) in enumerate(zip(frozen, now, strict=True)):
            yield from differences(left, right, f"{place}/{index}" if place else str(index))
    elif frozen != now or type(frozen) is not type(now):
        yield Difference(place, frozen, now, _relative(frozen, now))


def _relative(frozen: Any, now: Any) -> float:
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (frozen, now))
    if not numbers or not (math.isfinite(frozen) and math.isfinite(now)):
        return math.inf
    largest = max(abs(frozen), abs(now))
    return abs(now - frozen) / largest if largest else 0.0
