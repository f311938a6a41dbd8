"""The bootstrap of units: seeded, in bounded memory, and right about its spread."""

import tracemalloc

import krippendorff
import numpy as np
import pytest

from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.resampling import bootstrap as resampling
from analysis.stats.resampling.bootstrap import Bootstrap, multiplicities, percentile_interval
from analysis.stats.results import Estimate


def test_the_size_of_blocks_does_not_change_the_draws(monkeypatch) -> None:
    for frequencies in (np.ones(9), np.array([3.0, 1.0, 6.0])):
        whole = np.concatenate(list(multiplicities(frequencies, Bootstrap(40, seed=3))))
        monkeypatch.setattr(resampling, "CELLS_IN_MEMORY", 25)
        resampling._kept.clear()
        pieces = np.concatenate(list(multiplicities(frequencies, Bootstrap(40, seed=3))))
        monkeypatch.undo()
        np.testing.assert_array_equal(whole, pieces)


def test_draws_are_kept_for_the_next_statistic_within_one_limit(monkeypatch) -> None:
    monkeypatch.setattr(resampling, "CELLS_KEPT", 1000)
    monkeypatch.setattr(resampling, "_kept", {})
    how = Bootstrap(50)
    for frequencies in (np.ones(8), np.array([3.0, 1.0, 6.0]), np.ones(9), np.ones(12)):
        first, again = (np.concatenate(list(multiplicities(frequencies, how))) for _ in range(2))
        np.testing.assert_array_equal(first, again)
    sizes = [draws.shape[1] for draws in resampling._kept.values()]
    assert sizes == [12], "9 and 12 units are more than 1000 bytes together"
    list(multiplicities(np.ones(21), how))
    assert len(resampling._kept) == 1, "more than the limit are never kept"


def test_percentiles_leave_degenerate_draws_out() -> None:
    draws = np.array([np.nan, 0.0, 1.0, 2.0, 3.0, 4.0])
    interval, degenerate = percentile_interval(draws, Bootstrap(6, level=0.5), "units")
    assert degenerate == 1
    assert interval is not None
    assert (interval.low, interval.high) == (1.0, 3.0)
    assert percentile_interval(np.array([np.nan, 1.0]), Bootstrap(2), "units") == (None, 1)


@pytest.mark.parametrize(
    "scale",
    ["ordinal", *(pytest.param(s, marks=pytest.mark.nightly) for s in ("nominal", "ratio"))],
)
def test_alpha_of_three_times_a_hundred_thousand_ratings_fits_in_small_memory(scale) -> None:
    rng = np.random.default_rng(6)
    truth = rng.normal(60, 20, (100_000, 1))
    table = np.clip(np.round(truth + rng.normal(0, 10, (100_000, 3)), 1), 0, 100)
    tracemalloc.start()
    result = krippendorff_alpha(table, scale, bootstrap=Bootstrap(20))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(result, Estimate)
    assert result.n == 100_000
    assert peak < 200e6


def test_large_tables_give_the_interval_alpha_of_the_package() -> None:
    rng = np.random.default_rng(8)
    table = rng.integers(0, 30, (5_000, 1)) + rng.integers(0, 9, (5_000, 3)).astype(float)
    table[rng.random(table.shape) < 0.3] = np.nan
    result = krippendorff_alpha(table, "interval", bootstrap=Bootstrap(50))
    oracle = krippendorff.alpha(table.T, level_of_measurement="interval")
    assert result.value == pytest.approx(oracle, abs=1e-12)
    counts = np.isfinite(table).sum(axis=1)
    assert result.n == (counts >= 2).sum()
    assert result.details["units_rated_once"] == (counts == 1).sum()
    assert result.interval.low < oracle < result.interval.high
