"""Agreement statistics on random ratings with gaps agree with packages we did not write."""

import warnings

import krippendorff
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from analysis.stats.agreement.intraclass import FORMS, intraclass_correlation
from analysis.stats.agreement.kappas import cohen_kappa, fleiss_kappa, gwet_ac
from analysis.stats.agreement.krippendorff_alpha import SCALES, krippendorff_alpha
from tests.fixtures.estimates import estimate

SEEDS = [1, 2, 3]


def ratings(seed: int, units: int = 40, raters: int = 4, missing: float = 0.25) -> np.ndarray:
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, (units, 1))
    table = np.clip(truth + rng.integers(-1, 2, (units, raters)), 1, 5).astype(float)
    table[rng.random(table.shape) < missing] = np.nan
    return table


@pytest.mark.parametrize("seed", SEEDS)
def test_fleiss_kappa_equals_statsmodels_where_all_units_are_rated_alike(seed) -> None:
    table = ratings(seed, missing=0)
    counts, _ = inter_rater.aggregate_raters(table.astype(int))
    assert estimate(fleiss_kappa(table)).value == pytest.approx(inter_rater.fleiss_kappa(counts))


@pytest.mark.parametrize("seed", SEEDS)
def test_standard_error_of_fleiss_kappa_is_close_to_the_jackknife(seed) -> None:
    table = ratings(seed, units=200)
    left_out = np.array(
        [estimate(fleiss_kappa(np.delete(table, row, axis=0))).value for row in range(200)]
    )
    jackknife = np.sqrt(199 / 200 * ((left_out - left_out.mean()) ** 2).sum())
    error = estimate(fleiss_kappa(table)).details["standard_error"]
    assert error == pytest.approx(jackknife, rel=0.05)


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
@pytest.mark.parametrize("seed", SEEDS)
def test_cohen_kappa_equals_statsmodels_and_scikit_learn(seed, weights) -> None:
    table = ratings(seed, raters=2)
    both = table[np.isfinite(table).all(axis=1)].astype(int)
    counts = np.zeros((5, 5))
    np.add.at(counts, (both[:, 0] - 1, both[:, 1] - 1), 1)
    short = None if weights == "unweighted" else weights
    oracle = inter_rater.cohens_kappa(counts, wt=short)
    result = estimate(cohen_kappa(table, weights=weights))
    assert result.value == pytest.approx(oracle.kappa)
    assert result.value == pytest.approx(cohen_kappa_score(both[:, 0], both[:, 1], weights=short))
    assert result.details["standard_error"] == pytest.approx(oracle.std_kappa)
    assert result.details["null_standard_error"] == pytest.approx(oracle.std_kappa0)
    assert result.n == len(both)


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
@pytest.mark.parametrize("seed", SEEDS)
def test_gwet_coefficient_equals_its_definition_on_the_table_of_counts(seed, weights) -> None:
    table = ratings(seed)
    scale = np.arange(1, 6)
    distance = np.abs(scale[:, None] - scale[None, :]) / 4
    weight = {"unweighted": np.eye(5), "linear": 1 - distance, "quadratic": 1 - distance**2}[
        weights
    ]
    counts = np.array([[(row == category).sum() for category in scale] for row in table])
    counts = counts[counts.sum(axis=1) > 0]
    size = counts.sum(axis=1)
    pairs = (counts * (counts @ weight - 1)).sum(axis=1)[size > 1]
    observed = (pairs / (size * (size - 1))[size > 1]).mean()
    share = (counts / size[:, None]).mean(axis=0)
    expected = weight.sum() / 20 * (share * (1 - share)).sum()
    result = estimate(gwet_ac(table, weights=weights, categories=scale))
    assert result.value == pytest.approx((observed - expected) / (1 - expected))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", SEEDS)
def test_alpha_from_per_unit_sums_equals_the_krippendorff_package(seed, scale) -> None:
    table = ratings(seed)
    oracle = krippendorff.alpha(reliability_data=table.T, level_of_measurement=scale)
    found = estimate(krippendorff_alpha(table, scale, bootstrap=None)).value
    assert found == pytest.approx(oracle, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_intraclass_correlations_equal_pingouin_with_their_intervals(seed) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pingouin

        table = ratings(seed, units=25, raters=3, missing=0)
        long = pd.DataFrame(table).reset_index().melt(id_vars="index")
        oracle = pingouin.intraclass_corr(long, "index", "variable", "value")
    for form, (_, row) in zip(FORMS, oracle.iterrows(), strict=True):
        result = estimate(intraclass_correlation(table, form, columns="raters"))
        assert result.value == pytest.approx(row["ICC"])
        assert result.p_value == pytest.approx(row["pval"], rel=1e-6)
        printed = [round(result.interval.low, 2), round(result.interval.high, 2)]
        assert printed == pytest.approx(list(row["CI95"]), abs=0.0101)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_way_intraclass_correlation_with_gaps_is_the_anova_estimator(seed) -> None:
    table = ratings(seed)
    groups = [row[np.isfinite(row)] for row in table if np.isfinite(row).any()]
    sizes = np.array([group.size for group in groups])
    ratio = stats.f_oneway(*groups).statistic
    k = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (sizes.size - 1)
    single = estimate(intraclass_correlation(table, "ICC(1,1)", columns="slots"))
    mean = estimate(intraclass_correlation(table, "ICC(1,k)", columns="slots"))
    assert single.value == pytest.approx((ratio - 1) / (ratio + k - 1))
    assert mean.value == pytest.approx((ratio - 1) / ratio)
    assert single.details["k"] == pytest.approx(k)
