"""Scores are turned toward higher-is-better and toward the target style."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.correlation.orientation import StyleScale, orient
from analysis.stats.results import Undefined

SCORES = np.array([[0.9, 0.2], [0.7, np.nan], [0.4, 0.6]])
SOURCES = ["informal", "formal", "rude"]
TARGETS = ["formal", "informal", "polite"]


def test_higher_is_kept_and_lower_changes_its_sign() -> None:
    assert orient(SCORES, "higher").oriented is not None
    np.testing.assert_array_equal(orient(SCORES, "higher").oriented, SCORES)
    np.testing.assert_array_equal(orient(SCORES, "lower").oriented, -SCORES)


def test_a_target_value_is_better_the_closer() -> None:
    oriented = orient([[0.5, 1.0, 1.2]], "target", target_value=1).oriented
    np.testing.assert_allclose(oriented, [[-0.5, 0.0, -0.2]])


def test_a_descriptive_metric_has_no_orientation_but_keeps_its_raw_scores() -> None:
    result = orient(SCORES, "descriptive")
    assert isinstance(result.oriented, Undefined)
    np.testing.assert_array_equal(result.raw, SCORES)


def test_a_probability_of_one_style_is_turned_where_that_style_is_the_source() -> None:
    result = orient(
        SCORES,
        "higher",
        style_scale=StyleScale("formal"),
        source_styles=SOURCES,
        target_styles=TARGETS,
    )
    np.testing.assert_allclose(result.oriented, [[0.9, 0.2], [0.3, np.nan], [np.nan, np.nan]])
    assert (result.turned_segments, result.unrelated_segments) == (1, 1)
    np.testing.assert_array_equal(result.raw, SCORES)


def test_a_regressor_is_mirrored_at_the_middle_of_its_scale() -> None:
    result = orient(
        [[2.5], [2.5]],
        "higher",
        style_scale=StyleScale("formal", 1, 5),
        source_styles=["informal", "formal"],
        target_styles=["formal", "informal"],
    )
    np.testing.assert_allclose(result.oriented, [[2.5], [3.5]])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: orient(SCORES, "better"),
        lambda: orient(SCORES, "target"),
        lambda: orient(SCORES, "higher", style_scale=StyleScale("formal")),
        lambda: orient(
            SCORES,
            "higher",
            style_scale=StyleScale("formal"),
            source_styles=SOURCES[:2],
            target_styles=TARGETS,
        ),
        lambda: StyleScale("formal", 1, 1),
    ],
)
def test_what_is_needed_and_not_given_is_an_error(wrong) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        wrong()
