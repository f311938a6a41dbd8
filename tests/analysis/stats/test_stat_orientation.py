"""Scores are turned toward higher-is-better and toward the target style."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linprog

from analysis.stats.correlation.orientation import StyleScale, orient
from analysis.stats.results import Undefined
from metrics.scorers.style_transfer_intensity import (
    direction_corrected_emd,
    earth_movers_distance,
    share_of_the_possible,
)

SCORES = np.array([[0.9, 0.2], [0.7, np.nan], [0.4, 0.6]])
SOURCES = ["informal", "formal", "rude"]
TARGETS = ["formal", "informal", "polite"]


def test_a_target_value_is_better_the_closer() -> None:
    oriented = orient([[0.5, 1.0, 1.2]], "target", target_value=1)
    np.testing.assert_allclose(oriented, [[-0.5, 0.0, -0.2]])


def test_a_descriptive_metric_has_no_orientation() -> None:
    assert isinstance(orient(SCORES, "descriptive"), Undefined)


def test_a_probability_of_one_style_is_turned_where_that_style_is_the_source() -> None:
    result = orient(
        SCORES,
        "higher",
        style_scale=StyleScale("formal"),
        source_styles=SOURCES,
        target_styles=TARGETS,
    )
    np.testing.assert_allclose(result, [[0.9, 0.2], [0.3, np.nan], [np.nan, np.nan]])


def test_a_regressor_is_mirrored_at_the_middle_of_its_scale() -> None:
    result = orient(
        [[2.5], [2.5]],
        "higher",
        style_scale=StyleScale("formal", 1, 5),
        source_styles=["informal", "formal"],
        target_styles=["formal", "informal"],
    )
    np.testing.assert_allclose(result, [[2.5], [3.5]])


def transport_cost(p: np.ndarray, q: np.ndarray) -> float:
    """Least cost of moving p to q where every two styles are one apart."""
    size = p.size
    costs = (1 - np.eye(size)).ravel()
    rows = np.kron(np.eye(size), np.ones(size))
    columns = np.kron(np.ones(size), np.eye(size))
    # The last constraint follows from the others; leaving it out spares rounding conflicts.
    solved = linprog(costs, A_eq=np.vstack([rows, columns])[:-1], b_eq=np.concatenate([p, q])[:-1])
    assert solved.success
    return float(solved.fun)


@st.composite
def distribution_pairs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    styles = draw(st.integers(2, 5))
    weights = draw(hnp.arrays(np.float64, (2, styles), elements=st.integers(1, 50).map(float)))
    p, q = weights / weights.sum(axis=1, keepdims=True)
    return p, q


@given(distribution_pairs())
@settings(max_examples=60, deadline=None)
def test_distance_is_the_cost_of_the_best_transport(pair) -> None:
    p, q = pair
    assert earth_movers_distance([p], [q])[0] == pytest.approx(transport_cost(p, q), abs=1e-9)


def test_sign_follows_the_target_style_and_no_change_of_it_is_positive() -> None:
    source = [[0.6, 0.3, 0.1]] * 3
    output = [[0.3, 0.6, 0.1], [0.8, 0.1, 0.1], [0.5, 0.3, 0.2]]
    np.testing.assert_allclose(direction_corrected_emd(source, output, [1, 1, 1]), [0.3, -0.2, 0.1])


def test_share_of_the_possible_is_undefined_where_nothing_was_possible() -> None:
    source = [[0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [np.nan, np.nan]]
    output = [[0.0, 1.0], [0.25, 0.75], [0.75, 0.25], [0.5, 0.5]]
    share = share_of_the_possible(source, output, [1, 1, 1, 1])
    np.testing.assert_allclose(share, [np.nan, 0.75, -0.5, np.nan])
