"""A judge with known errors, and effects on its scores: textbook, other packages, simulation."""

import numpy as np
import pandas as pd
import pingouin
import pytest
import scipy.stats
import statsmodels.api as sm
from statsmodels.stats.proportion import proportion_confint

from analysis.stats.comparison.clustered_effects import (
    length_correlation,
    mean_shift,
    own_family_shift,
    spread_of_samples,
)
from analysis.stats.results import Estimate
from analysis.stats.saving.known_error import corrected_share

MANY = 10**9


def test_the_share_is_that_of_the_textbook() -> None:
    # 23 of 150 cows positive, sensitivity 96 %, specificity 89 %: 5.1 per 100 (manual of epiR).
    found = corrected_share(Estimate(23 / 150, 150), Estimate(0.96, MANY), Estimate(0.89, MANY))
    assert found.value == pytest.approx(0.051, abs=5e-4)


def test_with_exactly_known_errors_the_interval_is_that_of_agresti_and_coull_corrected() -> None:
    s, c = 0.9, 0.85
    for yes in (40, 75, 120):
        found = corrected_share(Estimate(yes / 150, 150), Estimate(s, MANY), Estimate(c, MANY))
        ends = proportion_confint(yes, 150, method="agresti_coull")
        expected = [min(1, max(0, (end + c - 1) / (s + c - 1))) for end in ends]
        assert [found.interval.low, found.interval.high] == pytest.approx(expected, abs=1e-6)


@pytest.fixture
def judged():
    """Human scores, a judge that favours its own, lengths; three outputs a segment."""
    draw = np.random.default_rng(4)
    units = np.repeat(np.arange(60), 3)
    own = np.tile([1, 0, 0], 60)
    human = draw.normal(3, 1, 180)
    lengths = draw.integers(5, 30, 180) + 2 * human
    noise = np.repeat(draw.normal(0, 0.5, 60), 3) + draw.normal(0, 0.5, 180)
    scores = 0.8 * human + 0.6 * own + 0.03 * lengths + noise
    scores[[3, 77]] = np.nan
    human[10] = np.nan
    return scores, human, own, lengths, units


def test_the_shift_of_the_own_family_is_that_of_clustered_least_squares(judged) -> None:
    scores, human, own, _, units = judged
    found = own_family_shift(scores, human, own, units)
    known = np.isfinite(scores) & np.isfinite(human)
    model = sm.OLS(scores[known], sm.add_constant(np.column_stack([own, human])[known])).fit(
        cov_type="cluster", cov_kwds={"groups": units[known]}, use_t=True
    )
    assert found.value == pytest.approx(model.params[1])
    assert [found.interval.low, found.interval.high] == pytest.approx(model.conf_int()[1])
    assert found.p_value == pytest.approx(model.pvalues[1])
    assert found.n == known.sum()


def test_a_shift_is_the_mean_difference_clustered_by_segment(judged) -> None:
    scores, _, _, lengths, units = judged
    plain = scores - 0.1 * lengths
    found = mean_shift(scores, plain, units)
    known = np.isfinite(scores)
    model = sm.OLS((scores - plain)[known], np.ones(known.sum())).fit(
        cov_type="cluster", cov_kwds={"groups": units[known]}, use_t=True
    )
    assert found.value == pytest.approx(np.mean((scores - plain)[known]))
    assert [found.interval.low, found.interval.high] == pytest.approx(model.conf_int()[0])


def test_the_correlation_with_length_is_spearmans_and_the_partial_one_pingouins(judged) -> None:
    scores, human, _, lengths, _ = judged
    known = np.isfinite(scores)
    plain = length_correlation(scores, lengths)
    assert plain.value == pytest.approx(scipy.stats.spearmanr(scores[known], lengths[known])[0])
    table = pd.DataFrame({"score": scores, "length": lengths, "human": human}).dropna()
    expected = pingouin.partial_corr(table, "score", "length", "human", method="spearman")
    partial = length_correlation(scores, lengths, human)
    assert partial.value == pytest.approx(float(expected["r"].iloc[0]))
    name = next(column for column in expected.columns if column.startswith("CI95"))
    limits = [round(end, 2) for end in (partial.interval.low, partial.interval.high)]
    assert limits == pytest.approx([round(end, 2) for end in expected[name].iloc[0]])


def test_the_spread_of_samples_is_the_noise_that_was_added() -> None:
    draw = np.random.default_rng(7)
    covered, shares = 0, []
    for _ in range(200):
        truth = np.repeat(draw.normal(3, 1, 60), 2)
        samples = truth[:, None] + draw.normal(0, 0.5, (120, 3))
        found = spread_of_samples(samples, np.repeat(np.arange(60), 2))
        covered += found.interval.low <= 0.5 <= found.interval.high
        shares.append(found.details["within outputs"])
    assert 180 <= covered <= 198
    assert np.mean(shares) == pytest.approx(0.2, abs=0.01)
