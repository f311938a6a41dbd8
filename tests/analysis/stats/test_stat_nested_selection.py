"""Nested selection against a direct computation, and against what is known to be true."""

import numpy as np
import pytest
from scipy.stats import pearsonr

from analysis.stats.correlation.nested_selection import nested_selection
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Undefined

FEW = Bootstrap(resamples=60, seed=7)


def study(settings, segments=60, systems=4, seed=0, strength=0.0):
    """Scores of settings that share a signal with people, more or less."""
    draw = np.random.default_rng(seed)
    human = draw.normal(size=(segments, systems))
    noise = draw.normal(size=(settings, segments, systems))
    return strength * human + noise, human


def test_a_division_equals_a_loop_over_folds():
    scores, human = study(3, segments=20, strength=0.4)
    scores[1, 3, 2] = np.nan
    human[5, 1] = np.nan
    found = nested_selection(scores, human, folds=4, repeats=1, bootstrap=FEW)
    cells = np.isfinite(human) & np.isfinite(scores).all(axis=0)
    fold_of = np.random.default_rng(FEW.seed).permutation(np.arange(20) % 4)
    kept, people = [], []
    for fold in range(4):
        inside = cells & (fold_of == fold)[:, None]
        outside = cells & (fold_of != fold)[:, None]
        inner = [pearsonr(each[outside], human[outside])[0] for each in scores]
        best = scores[int(np.argmax(inner))]
        kept += ((best[inside] - best[outside].mean()) / best[outside].std()).tolist()
        people += human[inside].tolist()
    assert found.honest.value == pytest.approx(pearsonr(kept, people)[0], abs=1e-12)
    assert (found.cells, found.lost) == (cells.sum(), 1)
    for value, each in zip(found.in_sample, scores, strict=True):
        assert value == pytest.approx(pearsonr(each[cells], human[cells])[0], abs=1e-12)


@pytest.mark.parametrize("spoil", ["few", "people", "settings", "none"])
def test_what_cannot_be_estimated_is_undefined_with_a_reason(spoil):
    scores, human = study(2, segments=9 if spoil == "few" else 30)
    if spoil == "people":
        human[:] = 3.0
    if spoil == "settings":
        scores[:] = 1.1
    if spoil == "none":
        human[:] = np.nan
    found = nested_selection(scores, human, bootstrap=FEW)
    assert isinstance(found.honest, Undefined)
    assert found.honest.reason


def test_a_setting_without_variance_is_never_chosen():
    scores, human = study(2, strength=0.5)
    scores[0] = 0.7
    found = nested_selection(scores, human, bootstrap=FEW)
    assert isinstance(found.honest, Estimate)
    assert found.in_sample[0] is None
    assert found.chosen == (0.0, pytest.approx(1.0))
