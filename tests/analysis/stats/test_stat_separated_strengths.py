"""Where a system always loses or wins the others keep their strengths; a penalty bounds all."""

import numpy as np
import pytest
import scipy

from analysis.stats.results import Undefined
from analysis.stats.systems.bradley_terry import Strengths, comparable_systems, fit_strengths

SYSTEMS, LOSER = 4, 2


def votes(tie=True, seed=3):
    """Judgements of three systems, and of one that loses every time."""
    rng = np.random.default_rng(seed)
    strengths = np.array([0.7, 0.0, 0.0, -0.7])
    first = rng.integers(0, SYSTEMS, 240)
    second = (first + rng.integers(1, SYSTEMS, first.size)) % SYSTEMS
    won = rng.random(first.size) < scipy.special.expit(0.3 + strengths[first] - strengths[second])
    outcome = np.where(won, 1, -1)
    outcome[rng.random(first.size) < 0.2 * tie] = 0
    outcome[first == LOSER], outcome[second == LOSER] = -1, 1
    return first, second, outcome


def negative_log_likelihood(parameters, first, second, outcome, penalised=False):
    """Davidson's likelihood, written out a judgement at a time: strengths, position, ties."""
    strengths, position, tie = parameters[:SYSTEMS], *parameters[SYSTEMS:]
    weights = np.stack(
        [
            strengths[first] + position / 2,
            strengths[second] - position / 2,
            tie + (strengths[first] + strengths[second]) / 2,
        ]
    )
    chosen = weights[np.choose(outcome + 1, [1, 2, 0]), np.arange(outcome.size)]
    total = (chosen - scipy.special.logsumexp(weights, axis=0)).sum()
    if penalised:
        total += (strengths - 2 * np.logaddexp(0, strengths)).sum()
    return -total


def values(fit):
    return np.array([system.value for system in fit.systems])


def test_the_others_have_the_strengths_to_which_the_whole_likelihood_tends():
    data = votes()
    kept, reasons = comparable_systems(*data, SYSTEMS)
    assert kept.tolist() == [0, 1, 3]
    met = int(((data[0] == LOSER) | (data[1] == LOSER)).sum())
    assert reasons == {LOSER: f"it lost all of its {met} judgements"}
    inside = np.isin(data[0], kept) & np.isin(data[1], kept)
    place = np.searchsorted(kept, data[0][inside]), np.searchsorted(kept, data[1][inside])
    fit = fit_strengths(*place, data[2][inside], 3)
    # The likelihood of all judgements, with the loser's strength held far out.
    best = scipy.optimize.minimize(
        lambda free: negative_log_likelihood(np.array([*free[:2], -40, 0, *free[2:]]), *data),
        np.zeros(4),
        method="BFGS",
    )
    strengths = np.append(best.x[:2], 0)
    assert values(fit) == pytest.approx(strengths - strengths.mean(), abs=1e-4)
    assert (fit.position.value, fit.tie.value) == pytest.approx(best.x[2:], abs=1e-4)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-6)


def test_the_penalised_strengths_are_those_of_scipy():
    data = votes()
    assert isinstance(fit_strengths(*data, SYSTEMS), Undefined)
    fit = fit_strengths(*data, SYSTEMS, penalty="win-and-loss")
    best = scipy.optimize.minimize(
        negative_log_likelihood, np.zeros(SYSTEMS + 2), args=(*data, True), method="BFGS"
    )
    strengths = best.x[:SYSTEMS]
    assert values(fit) == pytest.approx(strengths - strengths.mean(), abs=1e-4)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    assert values(fit).argmin() == LOSER
    centring = np.eye(SYSTEMS) - 1 / SYSTEMS
    curvature = np.linalg.inv(_hessian(best.x, data))[:SYSTEMS, :SYSTEMS]
    assert fit.covariance == pytest.approx(centring @ curvature @ centring.T, rel=1e-3, abs=1e-5)
    assert "penalty:win-and-loss" in fit.systems[0].signature


def _hessian(at, data):
    def gradient(point):
        return scipy.optimize.approx_fprime(point, negative_log_likelihood, 1e-6, *data, True)

    rows = [(gradient(at + step) - gradient(at - step)) / 2e-3 for step in 1e-3 * np.eye(len(at))]
    return np.array(rows)


@pytest.mark.parametrize(
    ("judged", "kept", "words"),
    [
        # Two groups of the same size that nobody compared.
        ([(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1)], [], ["never compared"] * 4),
        # One pair was never compared with the other three.
        (
            [(0, 1, 1), (1, 2, 1), (2, 0, 1), (3, 4, 0)],
            [0, 1, 2],
            ["never compared", "never compared"],
        ),
        # One always wins, one always loses.
        (
            [(0, 1, 1), (1, 0, 1), (2, 0, 1), (1, 3, 1)],
            [0, 1],
            ["won all of its 1", "lost all of its 1"],
        ),
        # An order without exception: nobody has a strength.
        ([(0, 1, 1), (1, 2, 1)], [], ["won all of its 1", "no chain", "lost all of its 1"]),
        # A pair with a strength between them that lost to all others.
        (
            [(0, 1, 1), (1, 2, 1), (2, 0, 1), (0, 3, 1), (3, 4, 1), (4, 3, 1)],
            [0, 1, 2],
            ["no chain", "no chain"],
        ),
    ],
)
def test_each_system_without_a_strength_has_its_reason(judged, kept, words):
    table = np.array(judged)
    systems = int(table[:, :2].max()) + 1
    found, reasons = comparable_systems(*table.T, systems)
    assert found.tolist() == kept
    for reason, word in zip(reasons.values(), words, strict=True):
        assert word in reason
    penalised = fit_strengths(*table.T, systems, position=False, penalty="win-and-loss")
    assert isinstance(penalised, Strengths)
    assert np.isfinite(penalised.covariance).all()
