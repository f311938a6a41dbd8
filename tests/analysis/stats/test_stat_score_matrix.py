"""Correlations between metrics, pair by pair, and the order by hierarchical clustering."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import pdist
from scipy.stats import pearsonr, rankdata

from analysis.stats.correlation.score_matrix import order_of_rows, score_matrix


@pytest.fixture
def table():
    generator = np.random.default_rng(4)
    base = generator.normal(size=(200, 1))
    scores = base * [1, 2, -1, 0, 0, 5] + generator.normal(size=(200, 6)) + [0, 1e6, 0, 3, 0, -40]
    scores[generator.random(scores.shape) < 0.2] = np.nan
    scores[:, 4] = 7.0
    return scores


def test_every_pair_is_the_correlation_of_the_rows_that_have_both(table):
    found = score_matrix(table)
    for first in range(6):
        for second in range(6):
            both = np.isfinite(table[:, [first, second]]).all(axis=1)
            assert found.counts[first, second] == both.sum()
            if 4 in (first, second):
                assert np.isnan(found.values[first, second])
                continue
            expected = pearsonr(table[both, first], table[both, second])[0]
            assert found.values[first, second] == pytest.approx(expected, abs=1e-9)


def test_spearman_is_the_pearson_correlation_of_ranks(table):
    ranks = rankdata(table, axis=0, nan_policy="omit")
    assert np.allclose(
        score_matrix(table, "spearman").values, score_matrix(ranks).values, equal_nan=True
    )


def test_rows_stand_in_the_order_of_scipys_dendrogram_where_nothing_is_missing():
    table = np.random.default_rng(6).normal(size=(12, 3))
    tree = linkage(pdist(table), "average", optimal_ordering=True)
    assert order_of_rows(table).tolist() == leaves_list(tree).tolist()


def test_rows_with_missing_values_are_compared_where_both_have_some():
    table = [[0.1, 0.2], [0.9, np.nan], [0.1, np.nan], [0.9, 0.8]]
    order = order_of_rows(table).tolist()
    assert abs(order.index(0) - order.index(2)) == 1
    assert abs(order.index(1) - order.index(3)) == 1
