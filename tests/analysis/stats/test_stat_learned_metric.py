"""A learned metric: against SciPy and brute force, and by simulation that nothing leaks."""

import numpy as np
import pytest
from scipy.optimize import minimize

from analysis.stats.learned.fits import PENALTIES, block_sums, fitted_weights
from analysis.stats.learned.nested import learned_metric
from analysis.stats.resampling.bootstrap import Bootstrap

NO_DRAWS = Bootstrap(0)


def drawn(seed, weights, *, segments=60, systems=6, noise=1.0):
    """Return metrics of noise and human scores that are their weighted sum and noise."""
    generator = np.random.default_rng(seed)
    scores = generator.normal(size=(len(weights), segments, systems))
    human = np.tensordot(weights, scores, axes=1)
    return scores, human + generator.normal(0, noise, human.shape)


def folds(segments, systems, many=3):
    return np.arange(segments) % many, np.arange(systems) % many


def learned(scores, human, bootstrap=NO_DRAWS, many=3):
    return learned_metric(scores, human, *folds(*human.shape, many), bootstrap=bootstrap)


def test_weights_minimise_the_penalised_square_among_non_negative_ones():
    scores, human = drawn(1, [0.8, 0.0, 0.3, -0.6], noise=0.5)
    sums = block_sums(scores, human, np.ones(human.shape, bool), *folds(*human.shape))
    table = scores.reshape(4, -1).T - scores.reshape(4, -1).mean(axis=1)
    target = human.ravel() - human.mean()
    for penalty in (0.001, 1.0):

        def loss(w, penalty=penalty):
            return ((target - table @ w) ** 2).mean() + penalty * (w**2).sum()

        best = minimize(loss, np.full(4, 0.1), bounds=[(0, None)] * 4, tol=1e-12).x
        found = fitted_weights(sums.sum(axis=(0, 1)), penalty)
        assert found == pytest.approx(best / best.sum(), abs=1e-4)
    assert found[3] == 0


def test_each_block_is_scored_by_weights_of_other_segments_and_other_systems():
    scores, human = drawn(2, [0.8, 0.2, 0.0])
    rows, columns = folds(*human.shape)
    found = learned(scores, human)
    standardised = (scores - found.means[:, None, None]) / found.deviations[:, None, None]
    for segment_fold, system_fold in np.ndindex(3, 3):
        apart = np.ix_(rows != segment_fold, columns != system_fold)
        own = np.ix_(rows == segment_fold, columns == system_fold)
        training = block_sums(
            standardised[:, rows != segment_fold][:, :, columns != system_fold],
            human[apart],
            np.ones(human[apart].shape, bool),
            np.zeros(int((rows != segment_fold).sum()), int),
            np.zeros(int((columns != system_fold).sum()), int),
        )[0, 0]
        possible = [fitted_weights(training, penalty) for penalty in PENALTIES]
        weights = found.fold_weights[segment_fold, system_fold]
        assert min(np.abs(weights - each).max() for each in possible) < 1e-9
        expected = np.tensordot(weights, standardised, axes=1)[own]
        assert found.out_of_fold[own] == pytest.approx(expected)
        # Whatever the ratings of the block's own segments and systems are, its weights stay.
        changed = human.copy()
        changed[rows == segment_fold] = 99 * scores[2, rows == segment_fold]
        changed[:, columns == system_fold] = -99 * scores[0, :, columns == system_fold].T
        again = learned(scores, changed)
        assert again.fold_weights[segment_fold, system_fold] == pytest.approx(weights)
