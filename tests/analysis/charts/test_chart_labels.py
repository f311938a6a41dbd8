"""Names in charts keep out of each other's way."""

import itertools
import re

import numpy as np
import pytest
from scipy.optimize import minimize

from analysis.charts.labels import LABEL_HEIGHT, Box, place_labels, spread
from analysis.charts.lines import plan_curves
from analysis.charts.render import to_svg


@pytest.mark.parametrize("seed", range(5))
def test_spread_moves_as_little_as_a_quadratic_programme_would(seed: int) -> None:
    wanted = np.sort(np.random.default_rng(seed).uniform(0, 20, 6))
    constraints = [
        {"type": "ineq", "fun": lambda p, i=i: p[i + 1] - p[i] - 5.0}
        for i in range(len(wanted) - 1)
    ]
    best = minimize(
        lambda p: float(np.sum((p - wanted) ** 2)), wanted, constraints=constraints, tol=1e-12
    )
    assert spread(list(wanted), 5.0, -100.0, 100.0) == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize("count", [1, 8, 60, 200])
def test_no_name_covers_another_name_a_point_or_the_frame(count: int) -> None:
    generator = np.random.default_rng(count)
    points = [(float(x), float(y)) for x, y in generator.uniform(10, 330, (count, 2))]
    obstacles = [Box(x - 1, y - 20, x + 1, y + 20) for x, y in points[:4]]
    names = [f"system {index}" for index in range(count)]
    boxes = [box for box in place_labels(points, names, 440, 340, obstacles=obstacles) if box]
    assert boxes
    squares = [Box(x - 6, y - 6, x + 6, y + 6) for x, y in points]
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)
    for box, other in itertools.product(boxes, squares + obstacles):
        assert not box.overlaps(other)
    assert all(b.left >= 0 and b.top >= 0 and b.right <= 440 and b.bottom <= 340 for b in boxes)


def test_lines_of_a_plan_are_named_at_their_ends_in_place_of_a_legend():
    numbers = (1, 2, 3, 4, 5, 8, 12)
    rows = [
        {"raters": raters, "segments": segments, "value": 9.0 / raters / segments**0.5}
        for raters in numbers
        for segments in (20, 200, 2000)
    ]
    svg = to_svg(plan_curves(rows, reached="Half-width", wanted=0.1, title="Plan"))
    named = re.findall(r'translate\(([\d.]+),([\d.]+)\)"[^>]*>(\d+ raters?)</text>', svg)
    assert [name for *_, name in named] == [
        f"{n} rater{'s' * (n > 1)}" for n in (1, 2, 3, 4, 5, 8, 12)
    ]
    assert len({left for left, *_ in named}) == 1
    heights = sorted(float(top) for _, top, _ in named)
    assert all(below - above > LABEL_HEIGHT - 1 for above, below in itertools.pairwise(heights))
    assert "role-legend" not in svg
