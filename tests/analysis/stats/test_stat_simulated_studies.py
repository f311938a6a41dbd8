"""Intervals cover and tests hold their level, in a small part of `benchmarks.coverage`.

Fuller tables are in docs/statistics/coverage.md.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy

from benchmarks.false_alarms import TESTS, false_alarms
from benchmarks.interval_coverage import DIFFERENCE, OVER_SEGMENTS, coverage, true_value
from benchmarks.pieces import Pieces
from benchmarks.simulated_studies import (
    DESIGNS,
    HEAVY_TAILS,
    LARGE,
    SKEWED,
    SMALL,
    Design,
    draw,
)

RUNS, TEST_RUNS = 600, 500
TRUTH_STUDIES = 2
COVERED = [
    case
    for case in OVER_SEGMENTS
    if case.statistic in ("pearson, outputs, pooled", "corrected pearson, outputs, pooled")
    or (case.method == "studentised" and "grouped by system" not in case.statistic)
]
DESIGNS_BY_COST = [
    pytest.param(design, marks=pytest.mark.nightly) if design is LARGE else design
    for design in DESIGNS
]


def slack(share: float, runs: int) -> float:
    """Three standard errors of a share."""
    return 3 * (share * (1 - share) / runs) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("case", COVERED, ids=lambda case: f"{case.statistic}, {case.method}")
@pytest.mark.parametrize("design", DESIGNS_BY_COST, ids=str)
def test_intervals_over_segments_cover_as_often_as_they_say(design, case):
    runs = RUNS // 6 if design is LARGE else RUNS
    covered = coverage(case, design, true_value(case, design, TRUTH_STUDIES), range(runs))
    assert covered.without == 0
    assert 0.93 - slack(0.93, runs) <= covered.share <= 0.97 + slack(0.97, runs)


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
def test_false_alarms_are_as_rare_as_the_level_says(test):
    share = false_alarms(test, range(TEST_RUNS)) / TEST_RUNS
    assert share <= 0.057 + slack(0.057, TEST_RUNS)
    if not test.discrete:
        assert share >= 0.043 - slack(0.043, TEST_RUNS)


def test_simulated_studies_have_what_their_design_says():
    study = draw(Design(5, 400, 2, missing=0.2), np.random.default_rng(1))
    assert study.ratings.shape == (400, 5, 2)
    assert np.isnan(study.ratings).mean() == pytest.approx(0.2, abs=0.03)
    panels = draw(Design(5, 40, 2, annotators=8), np.random.default_rng(1))
    assert (np.isfinite(panels.ratings).sum(axis=2) == 2).all()
    assert panels.batches.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    again = draw(Design(5, 40, 2, annotators=8), np.random.default_rng(1))
    np.testing.assert_array_equal(panels.first, again.first)


def test_finished_pieces_are_kept_and_not_computed_again(tmp_path):
    path = tmp_path / "pieces.jsonl"
    with ThreadPoolExecutor(1) as pool:
        Pieces(path).compute(pool, {"two": (pow, (2, 1)), "four": (pow, (2, 2))})
        again = Pieces(path)
        again.compute(pool, {"two": (pow, (0, -1)), "eight": (pow, (2, 3))})
    assert again.results == {"two": 2, "four": 4, "eight": 8}
    assert Pieces(path).results == again.results


def test_raw_perplexities_have_the_heaviest_tails():
    skewness = [
        scipy.stats.skew(draw(design, np.random.default_rng(1)).first, axis=None)
        for design in (SMALL, SKEWED, HEAVY_TAILS)
    ]
    assert abs(skewness[0]) < 0.3 < 1 < skewness[1] < 4 < -skewness[2]


def test_two_equal_metrics_are_seldom_told_apart():
    covered = coverage(DIFFERENCE, SMALL, 0.0, range(60))
    assert covered.without == 0
    assert covered.share >= 0.85
