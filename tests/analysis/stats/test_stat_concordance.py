"""Pairs in the same order, counted bit by bit and by comparing every two."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from analysis.stats.correlation.concordance import ConcordanceOrder, signed_concordance


def elements(case: str, n: int = 230) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    human = rng.normal(0, 3, n)
    values = human + rng.normal(0, 3, n)
    if case == "many ties":
        values, human = np.round(values / 3), np.round(human)
    elif case == "human ties only":
        human = np.round(human / 2)
    return values, human


CASES = ("no ties", "many ties", "human ties only")


@pytest.mark.parametrize("case", CASES)
def test_balance_is_that_of_all_pairs(case):
    values, human = elements(case)
    order = ConcordanceOrder(values, human)
    weights = np.random.default_rng(3).integers(0, 4, (values.size, 9)).astype(float)
    agreement = np.sign(np.subtract.outer(values, values)) * np.sign(
        np.subtract.outer(human, human)
    )
    expected = np.einsum("pk,pq,qk->k", weights, agreement, weights) / 2
    np.testing.assert_array_equal(order.balance(weights), expected)


@pytest.mark.parametrize("case", CASES)
def test_tau_of_copies_is_scipys(case):
    values, human = elements(case, 60)
    weights = np.random.default_rng(3).integers(0, 3, (60, 5))
    taus = ConcordanceOrder(values, human).tau_b(weights.astype(float))
    for tau, copies in zip(taus, weights.T, strict=True):
        theirs = scipy.stats.kendalltau(np.repeat(values, copies), np.repeat(human, copies))
        assert tau == pytest.approx(theirs.statistic)


@pytest.mark.parametrize("case", CASES)
def test_concordance_of_each_element_counts_its_own_pairs(case):
    values, human = elements(case)
    agreement = np.sign(np.subtract.outer(values, values)) * np.sign(
        np.subtract.outer(human, human)
    )
    np.testing.assert_array_equal(signed_concordance(values, human), agreement.sum(axis=1))


def test_constant_sides_have_no_tau():
    values, human = elements("many ties")
    ones = np.ones((values.size, 1))
    for sides in ((values, np.ones_like(human)), (np.ones_like(values), human)):
        assert np.isnan(ConcordanceOrder(*sides).tau_b(ones)).all()
