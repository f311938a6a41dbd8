"""Agreement under weights: equal to the plain statistics, and to copies whose pairs are removed."""

from itertools import combinations

import numpy as np
import pytest

from analysis.stats.agreement.agreement_intervals import AnnotatedUnits, agreement_interval
from analysis.stats.agreement.agreement_statistics import STATISTICS_OF_AGREEMENT
from analysis.stats.agreement.intraclass import intraclass_correlation
from analysis.stats.agreement.kappas import fleiss_kappa, weighted_fleiss_kappa, weighted_gwet_ac
from analysis.stats.agreement.krippendorff_alpha import weighted_alpha
from analysis.stats.agreement.rater_pairs import (
    weighted_pearson,
    weighted_percent_agreement,
    weighted_rater_pairs,
)
from analysis.stats.agreement.weighted_ratings import WeightedRatings
from analysis.stats.resampling.bootstrap import Bootstrap
from tests.fixtures.estimates import value

FEW = Bootstrap(60)


def ratings(units: int = 24, annotators: int = 5, missing: float = 0.0, seed: int = 1):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, units)
    table = np.clip(truth[:, None] + rng.integers(-1, 2, (units, annotators)), 1, 5).astype(float)
    table[rng.random(table.shape) < missing] = np.nan
    return table


def by_rater(table: np.ndarray, segments=None) -> AnnotatedUnits:
    codes = np.where(np.isfinite(table), np.arange(table.shape[1]), -1)
    return AnnotatedUnits(table, codes, np.arange(len(table)) if segments is None else segments)


def drawn(table: np.ndarray, annotators=None, units=None) -> WeightedRatings:
    one = np.ones((1, table.shape[1])) if annotators is None else np.array([annotators], float)
    own = np.ones((1, len(table))) if units is None else np.array([units], float)
    return by_rater(table).drawn(one, own)


def plain(statistic: str, table: np.ndarray) -> float:
    return value(STATISTICS_OF_AGREEMENT[statistic].of(table, None, None))


def weighted(statistic: str, table: np.ndarray):
    k = None
    if statistic == "icc-1-k":
        k = intraclass_correlation(table, "ICC(1,k)", columns="slots").details["k"]
    return STATISTICS_OF_AGREEMENT[statistic].weighted(np.unique(table[np.isfinite(table)]), k)


@pytest.mark.parametrize("statistic", list(STATISTICS_OF_AGREEMENT))
def test_a_unit_drawn_twice_is_two_units(statistic):
    table = ratings(missing=0.0 if statistic.startswith(("icc-2", "icc-3")) else 0.2, seed=4)
    if statistic.startswith("cohen"):
        table = table[:, :2]
    if statistic == "pearson":
        table = np.take_along_axis(table, np.argsort(np.isnan(table), axis=1, kind="stable"), 1)
    times = np.random.default_rng(2).integers(0, 4, len(table))
    times[np.arange(5)] = 1
    copied = np.repeat(table, times, axis=0)
    assert set(np.unique(copied[np.isfinite(copied)])) == set(np.unique(table[np.isfinite(table)]))
    if statistic == "icc-1-k":
        statistic = "icc-1-1"
    found = weighted(statistic, table)(drawn(table, units=times))[0]
    assert found == pytest.approx(plain(statistic, copied), abs=1e-10)


# Copies of annotators, by brute force: every copy is laid out, and pairs of copies are passed over.


def copies(table: np.ndarray, times) -> list[list[tuple[int, float]]]:
    """Ratings of each unit as (annotator, value), each as often as the annotator was drawn."""
    return [
        [(a, x) for a, x in enumerate(row) if np.isfinite(x) for _ in range(times[a])]
        for row in table
    ]


def pairs_of(unit) -> list[tuple[float, float]]:
    return [(x, y) for (a, x), (b, y) in combinations(unit, 2) if a != b]


@pytest.fixture
def copied():
    table, times = ratings(missing=0.25, seed=7), [2, 0, 3, 1, 1]
    return table, times, copies(table, times)


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
def test_kappa_and_ac_pass_over_pairs_of_copies(copied, weights):
    table, times, units = copied
    scale = np.arange(1, 6)

    def agree(x, y):
        gap = abs(x - y) / 4
        return {"unweighted": float(x == y), "linear": 1 - gap, "quadratic": 1 - gap**2}[weights]

    observed = np.mean(
        [np.mean([agree(x, y) for x, y in pairs]) for unit in units if (pairs := pairs_of(unit))]
    )
    shares = np.mean(
        [[np.mean([x == c for _, x in unit]) for c in scale] for unit in units if unit], axis=0
    )
    total = sum(agree(c, d) for c in scale for d in scale)
    expected = total / 20 * (shares * (1 - shares)).sum()
    found = weighted_gwet_ac(scale.astype(float), weights)(drawn(table, times))[0]
    assert found == pytest.approx((observed - expected) / (1 - expected))
    if weights == "unweighted":
        chance = (shares**2).sum()
        kappa = weighted_fleiss_kappa(scale.astype(float))(drawn(table, times))[0]
        assert kappa == pytest.approx((observed - chance) / (1 - chance))


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_passes_over_pairs_of_copies(copied, scale):
    table, times, units = copied
    kept = [(place, unit) for place, unit in enumerate(units) if pairs_of(unit)]
    every = [(place, a, x) for place, unit in kept for a, x in unit]
    values = np.array([x for *_, x in every])
    ranks = {x: (values < x).sum() + (values == x).sum() / 2 for x in set(values)}

    def distance(x, y):
        return {
            "nominal": float(x != y),
            "ordinal": (ranks[x] - ranks[y]) ** 2,
            "interval": (x - y) ** 2,
            "ratio": ((x - y) / (x + y)) ** 2,
        }[scale]

    observed = sum(
        len(unit) * np.mean([distance(x, y) for x, y in pairs_of(unit)]) for _, unit in kept
    ) / len(every)
    expected = np.mean(
        [distance(x, y) for (u, a, x), (v, b, y) in combinations(every, 2) if (u, a) != (v, b)]
    )
    found = weighted_alpha(np.arange(1.0, 6.0), scale)(drawn(table, times))[0]
    assert found == pytest.approx(1 - observed / expected)


def test_pearson_passes_over_pairs_of_copies(copied):
    table, times, units = copied
    pairs = np.array([pair for unit in units for pair in pairs_of(unit)])
    one_way = weighted_pearson(both_ways=False)(drawn(table, times))[0]
    assert one_way == pytest.approx(np.corrcoef(pairs.T)[0, 1])
    both = np.concatenate([pairs, pairs[:, ::-1]])
    two_ways = weighted_pearson(both_ways=True)(drawn(table, times))[0]
    assert two_ways == pytest.approx(np.corrcoef(both.T)[0, 1])


def test_pairs_of_raters_count_as_often_as_both_were_drawn():
    table, times = ratings(seed=9), [2, 0, 3, 1, 1]
    total = count = 0.0
    for a, b in combinations(range(5), 2):
        total += times[a] * times[b] * np.corrcoef(table[:, a], table[:, b])[0, 1]
        count += times[a] * times[b]
    assert weighted_rater_pairs(drawn(table, times))[0] == pytest.approx(total / count)


# Intervals


def test_units_of_one_segment_are_drawn_together():
    table = np.repeat(ratings(units=10, seed=2), 6, axis=0)
    segments = np.repeat(np.arange(10), 6)
    kappa = weighted_fleiss_kappa(np.arange(1.0, 6.0))
    widths = {}
    for over in ("units", "segments"):
        interval, facts = agreement_interval(
            by_rater(table, segments), kappa, over=over, bootstrap=Bootstrap(400)
        )
        widths[over] = interval.high - interval.low
        assert facts["degenerate_draws"] == 0
    # Six copies of each unit say no more than one: the interval is √6 times as wide.
    assert widths["segments"] / widths["units"] == pytest.approx(6**0.5, rel=0.2)


def test_annotators_are_drawn_within_their_batch():
    table = np.full((40, 8), np.nan)
    for batch in range(4):
        rows = slice(10 * batch, 10 * batch + 10)
        table[rows, 2 * batch : 2 * batch + 2] = ratings(10, 2, seed=batch)
    units = by_rater(table)
    assert units.batches().tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    _, facts = agreement_interval(
        units, weighted_percent_agreement, over="annotators", bootstrap=Bootstrap(2000)
    )
    # Each batch loses its only pair in half of the draws: all four do in one of sixteen.
    assert facts["degenerate_draws"] / 2000 == pytest.approx(1 / 16, abs=0.02)


def test_below_six_annotators_the_range_without_one_is_told_instead():
    table = ratings(annotators=5, seed=8)
    kappa = weighted_fleiss_kappa(np.arange(1.0, 6.0))
    interval, facts = agreement_interval(by_rater(table), kappa, over="annotators", bootstrap=FEW)
    assert interval is None
    assert facts["no_interval_because"] == "fewer than 6 annotators"
    without = [value(fleiss_kappa(np.delete(table, a, axis=1))) for a in range(5)]
    told = facts["leave_one_annotator_out"]
    assert (told["lowest"], told["highest"]) == pytest.approx((min(without), max(without)))
    assert told["undefined"] == 0
