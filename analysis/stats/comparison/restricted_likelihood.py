"""A linear model with crossed random intercepts, fitted by restricted maximum likelihood."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import FloatArray
from analysis.stats.comparison.crossed_effects import TERMS, CrossedSystem, Crossing, Term
from analysis.stats.comparison.random_terms import minimise


@dataclass(frozen=True, slots=True)
class LinearFit:
    """A fitted model: effects with their covariance, deviations of the terms, residual variance.

    `slope` is the largest slope of the restricted log-likelihood that is left.
    """

    effects: FloatArray
    covariance: FloatArray
    scales: FloatArray
    residual: float
    log_likelihood: float
    slope: float


def fit_linear(
    value: FloatArray, design: FloatArray, crossing: Crossing, present: Sequence[Term]
) -> LinearFit:
    """Fit a linear model with crossed random intercepts by restricted maximum likelihood.

    Parameters
    ----------
    value : ndarray, shape (n_ratings,)
    design : ndarray, shape (n_ratings, effects)
        Of full rank, with a constant among the sums of its columns.
    crossing : Crossing
    present : sequence of Term
        Whose variance is fitted; the others' is zero.
    """
    centre, spread = float(value.mean()), float(value.std())
    profile = _Profile(crossing, design, (value - centre) / spread)
    found = minimise(profile.evaluate, np.empty(0), present)
    residual, inverse, effects = profile.at(found.scales)[:3]
    constant = np.linalg.lstsq(design, np.full(len(value), centre), rcond=None)[0]
    # The likelihood of standardised ratings is that of the ratings but for their scale.
    likelihood = -found.value - profile.freedom * math.log(spread)
    return LinearFit(
        effects * spread + constant,
        residual * inverse * spread**2,
        found.scales * math.sqrt(residual) * spread,
        residual * spread**2,
        likelihood,
        float(np.abs(found.gradient).max(initial=0.0)),
    )


class _Profile:
    """The restricted likelihood as a function of the terms' deviations over the residual's."""

    def __init__(self, crossing: Crossing, design: FloatArray, value: FloatArray) -> None:
        self.crossing = crossing
        self.columns = np.column_stack([design, value])
        self.products = self.columns.T @ self.columns
        self.sums = crossing.gathered(self.columns, np.ones(len(TERMS)))
        self.weights = np.ones(len(value))
        self.freedom = len(value) - design.shape[1]

    def at(
        self, scales: FloatArray
    ) -> tuple[float, FloatArray, FloatArray, CrossedSystem, FloatArray, FloatArray]:
        """Return residual variance, inverse products, effects, and what they were made of."""
        system = self.crossing.system(self.weights, scales)
        right = self.sums * np.repeat(scales, self.crossing.sizes)[:, None]
        solved = system.solve(right)
        products = self.products - right.T @ solved
        inverse = np.linalg.inv(products[:-1, :-1])
        effects = inverse @ products[:-1, -1]
        residual = float(products[-1, -1] - products[-1, :-1] @ effects) / self.freedom
        residual = max(residual, np.finfo(float).tiny)
        return residual, np.asarray(inverse), effects, system, solved, products

    def evaluate(
        self, fixed: FloatArray, scales: FloatArray
    ) -> tuple[float, FloatArray, FloatArray]:
        """Return minus the restricted log-likelihood and its slopes in log scales."""
        residual, inverse, effects, system, solved, products = self.at(scales)
        value = system.log_determinant + np.linalg.slogdet(products[:-1, :-1])[1]
        value += self.freedom * (1 + math.log(2 * math.pi * residual))
        # What random effects predict for the design, and for ratings less the design's part.
        of_design, modes = solved[:, :-1], solved[:, -1] - solved[:, :-1] @ effects
        each = 1 - system.inverse_diagonal - modes**2 / residual
        each -= np.einsum("ij,jk,ik->i", of_design, inverse, of_design)
        slopes = np.array([each[part].sum() for part in self.crossing.parts])
        return float(value) / 2, fixed, slopes
