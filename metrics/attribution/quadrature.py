"""Adaptive Simpson quadrature whose error is known, because what the parts sum to is known."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from metrics.attribution.attribution import Floats

PART_OF_WORST = 0.5
"""In a round, panels that err at least by this part of the worst one are halved."""


@dataclass(frozen=True, slots=True)
class Quadrature:
    """How finely the path from baseline to text is integrated.

    Attributes
    ----------
    panels
        Into how many equal panels the path is cut at first; each has Simpson's three points.
    tolerance
        Panels are halved until their errors sum to at most this, in units of the logit, …
    share
        … and to at most this share of all absolute attributions.
    narrowest
        Panels are not halved below this width.
    """

    panels: int = 3
    tolerance: float = 0.025
    share: float = 0.005
    narrowest: float = 1 / 1000

    def __str__(self) -> str:
        return f"simpson-{self.panels}-{self.tolerance:g}-{self.share:g}"


class Integration:
    """The integral of a slope over [0, 1], split by pieces.

    The slope's parts sum to the derivative of a known function, so the integral of each panel
    sums to that function's difference between the panel's ends: what is missing is the panel's
    error, and only panels that err are halved (Gander and Gautschi 2000 on the scheme, which has
    to guess errors; Sundararajan et al. 2017 call the property completeness).

    Parameters
    ----------
    quadrature
        When it is fine enough.
    """

    def __init__(self, quadrature: Quadrature) -> None:
        self.quadrature = quadrature
        edges = [panel / quadrature.panels for panel in range(quadrature.panels + 1)]
        self._panels = list(pairwise(edges))
        self._known: dict[float, tuple[float, Floats]] = {}

    @property
    def places(self) -> int:
        """At how many places the slope is known."""
        return len(self._known)

    def missing(self) -> list[float]:
        """Return the places at which value and slope must be learnt next."""
        places = {place for panel in self._panels for place in _places(*panel)}
        return sorted(places - self._known.keys())

    def learn(self, place: float, value: float, slopes: Floats) -> None:
        """Take the function's value at a place, and its derivative split by pieces."""
        self._known[place] = value, slopes

    def refine(self) -> bool:
        """Halve the panels that err most; return whether there were any.

        All that `missing` names must be known.
        """
        integrals = [self._integral(*panel) for panel in self._panels]
        total = float(np.abs(np.sum(integrals, axis=0)).sum())
        errors = [
            abs(float(integral.sum()) - (self._known[end][0] - self._known[start][0]))
            for (start, end), integral in zip(self._panels, integrals, strict=True)
        ]
        rule = self.quadrature
        if sum(errors) <= min(rule.tolerance, rule.share * total):
            return False
        halved: list[tuple[float, float]] = []
        for (start, end), error in zip(self._panels, errors, strict=True):
            if error >= PART_OF_WORST * max(errors) and end - start > rule.narrowest:
                _, middle, _ = _places(start, end)
                halved += [(start, middle), (middle, end)]
            else:
                halved.append((start, end))
        grown = len(halved) > len(self._panels)
        self._panels = halved
        return grown

    def integral(self) -> Floats:
        """Return the integral of each part."""
        return np.asarray(np.sum([self._integral(*panel) for panel in self._panels], axis=0))

    def _integral(self, start: float, end: float) -> Floats:
        first, middle, last = (self._known[place][1] for place in _places(start, end))
        return np.asarray((end - start) / 6 * (first + 4 * middle + last))


def _places(start: float, end: float) -> tuple[float, float, float]:
    return start, (start + end) / 2, end
