"""Systems compared: SciPy, full enumeration, statsmodels' GLM and known strengths."""

import itertools

import numpy as np
import pytest
import scipy
import statsmodels.api as sm

from analysis.stats.resampling.permutation import Permutation
from analysis.stats.systems.bradley_terry import (
    Strengths,
    cells_of_judgements,
    counted,
    fit_strengths,
    unbounded,
)
from analysis.stats.systems.paired_tests import sign_flip_test, wilcoxon_signed_rank
from tests.fixtures.estimates import estimate


def scores(n=30, *, rounded=False):
    rng = np.random.default_rng(1)
    first = rng.normal(0.3, 1, n)
    second = first + rng.normal(-0.3, 1, n)
    if rounded:
        first, second = np.round(first), np.round(second)
    first[3] = second[5] = np.nan
    return first, second


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_signed_ranks_are_scipys_on_common_segments(zeros, alternative):
    first, second = scores(rounded=True)
    result = estimate(wilcoxon_signed_rank(first, second, zeros=zeros, alternative=alternative))
    both = np.isfinite(first + second)
    theirs = scipy.stats.wilcoxon(
        first[both], second[both], zero_method=zeros, alternative=alternative, method="asymptotic"
    )
    assert result.p_value == pytest.approx(theirs.pvalue)
    assert f"zeros:{zeros}" in result.signature
    assert result.n == 28
    assert result.details["zeros"] == (first[both] == second[both]).sum() > 0


def test_signed_ranks_of_few_untied_differences_are_exact():
    first, second = scores(10)
    result = estimate(wilcoxon_signed_rank(first, second))
    gaps = (first - second)[np.isfinite(first + second)]
    ranks = scipy.stats.rankdata(np.abs(gaps))
    sums = [ranks @ np.array(signs) for signs in itertools.product([-1, 1], repeat=gaps.size)]
    seen = ranks @ np.sign(gaps)
    assert result.details["method"] == "exact"
    assert result.p_value == pytest.approx(np.mean(np.abs(sums) >= abs(seen)))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_few_flips_are_enumerated(alternative):
    first, second = scores(12)
    gaps = (first - second)[np.isfinite(first + second)]
    sums = np.array([gaps @ signs for signs in itertools.product([-1, 1], repeat=gaps.size)])
    extreme = {
        "two-sided": np.abs(sums) >= abs(gaps.sum()) - 1e-12,
        "greater": sums >= gaps.sum() - 1e-12,
        "less": sums <= gaps.sum() + 1e-12,
    }[alternative]
    result = estimate(
        sign_flip_test(first, second, permutation=Permutation(alternative=alternative))
    )
    assert result.details["method"] == "enumerated"
    assert result.p_value == extreme.mean()


def test_many_flips_are_drawn_and_agree_with_scipy():
    first, second = scores(60)
    both = np.isfinite(first + second)
    theirs = scipy.stats.permutation_test(
        ((first - second)[both],), np.mean, permutation_type="samples", n_resamples=20_000,
        rng=np.random.default_rng(3),
    )  # fmt: skip
    ours = estimate(sign_flip_test(first, second, permutation=Permutation(20_000)))
    assert ours.details["method"] == "sampled"
    assert ours.p_value == pytest.approx(theirs.pvalue, abs=0.01)


def judgements(n=4000, *, tie=-0.5, position=0.4, seed=1):
    rng = np.random.default_rng(seed)
    strengths = np.array([0.8, 0.2, -0.3, -0.7])
    first = rng.integers(0, 4, n)
    second = (first + rng.integers(1, 4, n)) % 4
    weights = np.exp(
        np.stack(
            [
                strengths[first] + position / 2,
                strengths[second] - position / 2,
                tie + (strengths[first] + strengths[second]) / 2,
            ]
        )
    )
    if tie is None or np.isneginf(tie):
        weights[2] = 0
    shares = weights / weights.sum(axis=0)
    drawn = rng.random(n)
    outcome = np.where(drawn < shares[0], 1, np.where(drawn < shares[0] + shares[1], -1, 0))
    return strengths, first, second, outcome


@pytest.mark.parametrize("position", [True, False])
def test_without_ties_the_fit_is_statsmodels_logistic_regression(position):
    _, first, second, outcome = judgements(600, tie=-np.inf)
    fit = fit_strengths(first, second, outcome, 4, position=position)
    assert isinstance(fit, Strengths)
    design = np.zeros((600, 4))
    design[np.arange(600), first] += 1
    design[np.arange(600), second] -= 1
    columns = [design[:, :3], np.ones((600, 1))] if position else [design[:, :3]]
    theirs = sm.GLM(outcome > 0, np.hstack(columns), family=sm.families.Binomial()).fit(tol=1e-13)
    by_reference = np.append(theirs.params[:3], 0)
    np.testing.assert_allclose(
        [system.value for system in fit.systems], by_reference - by_reference.mean(), atol=1e-7
    )
    assert fit.log_likelihood == pytest.approx(theirs.llf)
    gaps, p_values = fit.differences()
    np.testing.assert_allclose(gaps[:3, 3], theirs.params[:3], atol=1e-7)
    np.testing.assert_allclose(p_values[:3, 3], theirs.pvalues[:3], rtol=1e-5)
    if position:
        assert fit.position is not None
        assert fit.position.value == pytest.approx(theirs.params[3], abs=1e-7)
        assert fit.position.p_value == pytest.approx(theirs.pvalues[3], rel=1e-5)
    assert fit.tie is None


@pytest.mark.parametrize(
    ("position", "tie_share"), [(False, 0), (True, 0), (False, 0.3), (True, 0.3)]
)
def test_separation_is_found_as_by_a_programme_over_all_features(position, tie_share):
    rng = np.random.default_rng(12)
    seen = set()
    for _ in range(40):
        n, systems = int(rng.integers(3, 14)), 4
        one = rng.integers(0, systems, n)
        other = (one + rng.integers(1, systems, n)) % systems
        outcome = np.where(rng.random(n) < tie_share, 0, rng.choice([-1, 1], n))
        links = scipy.sparse.coo_array((np.ones(n), (one, other)), shape=(systems, systems))
        if scipy.sparse.csgraph.connected_components(links, directed=False)[0] > 1:
            continue
        counts = counted(cells_of_judgements(one, other, outcome, systems), systems)
        ties = bool((outcome == 0).any())
        rows = []
        for i, j, result in zip(one, other, outcome, strict=True):
            kinds = np.zeros((2 + ties, systems + 2))
            kinds[0, [i, systems]] = 1, 0.5 * position
            kinds[1, [j, systems]] = 1, -0.5 * position
            if ties:
                kinds[2, [i, j, systems + 1]] = 0.5, 0.5, 1
            chosen = {1: 0, -1: 1, 0: 2}[int(result)]
            rows += [kinds[chosen] - kinds[k] for k in range(2 + ties) if k != chosen]
        margins = np.array(rows)
        found = scipy.optimize.linprog(
            -margins.sum(axis=0), A_ub=-margins, b_ub=np.zeros(len(rows)), bounds=(-1, 1)
        )
        assert unbounded(counts, position=position) == (-found.fun > 1e-7)
        seen.add(unbounded(counts, position=position))
    assert seen == {True, False}
