"""How raters are divided over items: published values, SciPy and triples written out."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from analysis.stats.rater_models.divided import bimodality, ordinal_agreement, relative_entropy

GENERATOR = np.random.default_rng(6)


def agreement_by_triples(counts):
    """Return van der Eijk's A of one item, by the definition with all triples written out."""
    left, total, found = np.array(counts, dtype=float), sum(counts), 0.0
    points = len(left)
    while left.any():
        there = left > 0
        least = left[there].min()
        fits = deviates = 0
        for triple in combinations(there.tolist(), 3):
            fits += triple in [(True, True, False), (False, True, True)]
            deviates += triple == (True, False, True)
        shape = 1.0
        if fits + deviates:
            shape = ((points - 2) * fits - (points - 1) * deviates) / (
                (points - 2) * (fits + deviates)
            )
        layer = shape * (1 - (there.sum() - 1) / (points - 1))
        found += layer * least * there.sum() / total
        left = np.where(there, left - least, 0)
    return found


@pytest.mark.parametrize("points", [3, 5, 7, 10])
def test_agreement_on_a_scale_is_that_of_its_layers_and_triples(points):
    counts = GENERATOR.integers(0, 4, (60, points)) * (GENERATOR.random((60, points)) < 0.6)
    counts[:, 0] += counts.sum(axis=1) == 0
    expected = [agreement_by_triples(row) for row in counts]
    assert ordinal_agreement(counts) == pytest.approx(expected)


def test_bimodality_is_that_of_scipys_corrected_moments():
    points = np.array([1, 2, 3, 4, 5])
    counts = GENERATOR.integers(0, 6, (40, 5)) + np.array([1, 1, 0, 0, 0])
    counts[:, 2] += 8
    for row, found in zip(counts, bimodality(counts, points), strict=True):
        values, n = np.repeat(points, row), row.sum()
        skewness = stats.skew(values, bias=False)
        excess = stats.kurtosis(values, bias=False)
        expected = (skewness**2 + 1) / (excess + 3 * (n - 1) ** 2 / ((n - 2) * (n - 3)))
        assert found == pytest.approx(expected)
    many = np.array([[1000, 1000, 1000, 1000, 1000], [2500, 0, 0, 0, 2500]])
    uniform, two = bimodality(many, points)
    assert two == pytest.approx(1, abs=1e-3)
    assert uniform == pytest.approx(0.5882, abs=1e-3)
    assert np.isnan(bimodality([[4, 0, 0, 0, 5], [19, 0, 0, 0, 0]], points)).all()
    # Ten answers are the fewest that can be seen to be bimodal.
    assert bimodality([[5, 0, 0, 0, 5]], points)[0] > 5 / 9


def test_entropy_is_a_share_of_that_of_even_answers():
    drawn = GENERATOR.integers(0, 5, (30, 4)) + 1
    expected = stats.entropy(drawn, axis=1) / np.log(4)
    assert relative_entropy(drawn) == pytest.approx(expected)
    assert np.isnan(relative_entropy([[0, 0]])).all()
