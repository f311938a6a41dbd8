"""Groups of systems: their mean scores, and whether two groups differ."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, as_matrix, ratio_of_sums
from analysis.stats.resampling.bootstrap import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    multiplicities,
    percentile_interval,
)
from analysis.stats.resampling.permutation import (
    adjusted_p_values,
    at_least_as_extreme,
    sampled_p_value,
)
from analysis.stats.results import Estimate, Result, Undefined, without_interval
from analysis.stats.signature import NO_VARIANT, Variant, VariantValue, signature

FEWEST = 3
"""Systems below which resampling them says nothing of how much systems of a group differ."""
TEST = "systems exchanged between the groups"


@dataclass(frozen=True, slots=True)
class GroupMean:
    """The mean of a group of systems: each counts alike, whatever its number of outputs."""

    group: str
    systems: int
    result: Result


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """The mean of a group less that of another; `holm` is adjusted over all pairs of groups."""

    first: str
    second: str
    result: Result
    holm: float | None


def compare_groups(
    scores: npt.ArrayLike,
    groups: Sequence[str],
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> tuple[list[GroupMean], list[GroupDifference]]:
    """Compare groups of systems by the means of their systems' mean scores.

    Intervals resample systems within each group, and segments for all systems alike: they hold for
    other systems of these kinds on other segments. With fewer than three systems in a group there
    is none. p-values exchange systems between two groups (all divisions, if there are no more than
    the draws of the bootstrap, else a sample of them); segments stay.

    Parameters
    ----------
    scores : array_like, shape (segments, systems)
        NaN where missing; a system without any score is left out.
    groups : sequence of str
        Of each system; empty where it belongs to none.
    bootstrap : Bootstrap
    variant : mapping
        Further parts of the signatures.

    Returns
    -------
    means : list of GroupMean
        In the order of first appearance.
    differences : list of GroupDifference
        Of every two of them.

    Raises
    ------
    ValueError
        If the number of systems differs.
    """
    matrix = as_matrix(scores, "scores")
    if matrix.shape[1] != len(groups):
        raise ValueError(f"{matrix.shape[1]} systems, but {len(groups)} groups")
    means = _system_means(matrix, np.ones((1, len(matrix))))[0]
    members = {
        name: np.array([g == name for g in groups]) & np.isfinite(means)
        for name in dict.fromkeys(groups)
        if name
    }
    groups_of = _Groups(means, members, _draws(matrix, members, bootstrap), bootstrap, variant)
    found = [GroupMean(name, int(own.sum()), groups_of.mean(name)) for name, own in members.items()]
    pairs = [
        GroupDifference(*pair, groups_of.difference(*pair), None)
        for pair in combinations(members, 2)
    ]
    adjusted = adjusted_p_values([pair.result for pair in pairs])
    return found, [replace(pair, holm=p) for pair, p in zip(pairs, adjusted, strict=True)]


def _system_means(matrix: FloatArray, weights: FloatArray) -> FloatArray:
    """Return draws × systems: the mean of each system under each draw's weights of segments."""
    present = np.isfinite(matrix)
    sums = np.stack([weights @ np.where(present, matrix, 0.0), weights @ present], axis=-1)
    return ratio_of_sums(sums)


def _draws(
    matrix: FloatArray, members: dict[str, BoolArray], bootstrap: Bootstrap
) -> dict[str, FloatArray]:
    """Return the mean of each group in every draw of segments and of its systems."""
    if not bootstrap:
        return {}
    systems = matrix.shape[1]
    blocks = multiplicities(np.ones(len(matrix)), bootstrap, systems)
    means = np.concatenate([_system_means(matrix, weights) for weights in blocks])
    found = {}
    for place, (name, own) in enumerate(members.items()):
        seeded = replace(bootstrap, seed=bootstrap.seed + 1 + place)
        drawn = np.concatenate(list(multiplicities(np.ones(int(own.sum())), seeded)))
        # A system that has no score on the drawn segments does not enter.
        known = np.isfinite(means[:, own])
        sums = np.where(known, means[:, own], 0.0) * drawn
        found[name] = ratio_of_sums(
            np.stack([sums.sum(axis=1), (drawn * known).sum(axis=1)], axis=-1)
        )
    return found


@dataclass(frozen=True, slots=True)
class _Groups:
    """Means of systems, which belong to each group, and the groups' means in each draw."""

    means: FloatArray
    members: dict[str, BoolArray]
    draws: dict[str, FloatArray]
    bootstrap: Bootstrap
    variant: Variant

    def mean(self, name: str) -> Result:
        """Return the mean of a group."""
        own = self.means[self.members[name]]
        described = self._signature("group-mean")
        if not own.size:
            return Undefined("no system of this group has a score", 0, "systems", described)
        estimate = Estimate(float(own.mean()), own.size, "systems", described)
        return self._with_interval(estimate, self.draws.get(name), name)

    def difference(self, first: str, second: str) -> Result:
        """Return the mean of a group less that of another."""
        one, other = (self.means[self.members[name]] for name in (first, second))
        count = one.size + other.size
        described = self._signature("difference-of-group-means", test="systems-exchanged")
        if not (one.size and other.size):
            reason = "one of the groups has no system with a score"
            return Undefined(reason, count, "systems", described)
        value = float(one.mean() - other.mean())
        estimate = Estimate(value, count, "systems", described)
        if self.bootstrap:
            systems = np.concatenate([one, other])
            p_value, facts = _exchanged(value, systems, one.size, self.bootstrap)
            estimate = replace(estimate, p_value=p_value, details={"test": TEST, **facts})
        drawn = self.draws[first] - self.draws[second] if self.draws else None
        return self._with_interval(estimate, drawn, first, second)

    def _signature(self, statistic: str, **more: VariantValue) -> str:
        drawn = self.bootstrap.variant("systems-and-segments")
        return signature(statistic, **{**more, **drawn, **self.variant})

    def _with_interval(self, estimate: Estimate, drawn: FloatArray | None, *names: str) -> Estimate:
        few = [name for name in names if self.members[name].sum() < FEWEST]
        if few:
            return without_interval(
                estimate, f"fewer than {FEWEST} systems in {' and in '.join(few)}"
            )
        if drawn is None:
            return estimate
        interval, degenerate = percentile_interval(drawn, self.bootstrap, "systems and segments")
        facts = {"resamples": self.bootstrap.resamples, "degenerate_draws": degenerate}
        return replace(estimate, interval=interval, details={**estimate.details, **facts})


def _exchanged(
    value: float, means: FloatArray, size: int, bootstrap: Bootstrap
) -> tuple[float, dict[str, int]]:
    """Return the p-value of exchanging systems between two groups, and over how many divisions."""
    count, total = comb(means.size, size), float(means.sum())

    def differences(sums: FloatArray) -> FloatArray:
        return np.asarray(sums / size - (total - sums) / (means.size - size), dtype=np.float64)

    if count <= bootstrap.resamples:
        chosen = np.array(list(combinations(range(means.size), size)))
        drawn = differences(means[chosen].sum(axis=1))
        return at_least_as_extreme(value, drawn) / count, {"divisions": count}
    generator = np.random.default_rng(bootstrap.seed)
    order = generator.permuted(np.tile(means, (bootstrap.resamples, 1)), axis=1)
    drawn = differences(order[:, :size].sum(axis=1))
    return sampled_p_value(value, drawn), {"sampled_divisions": bootstrap.resamples}
