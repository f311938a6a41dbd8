"""Places of names in a picture: next to points, and at the ends of lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.charts.axes import Channel
from analysis.charts.chart import Value
from analysis.charts.layers import Layer, labels, layer
from analysis.charts.table import Row, number

LABEL_HEIGHT = 14.0
_RADIUS = 6
"""Half the side of the square around each point that names keep free."""
_STEPS = (0.0, 8.0, 18.0)
_NARROW = frozenset("iljtfrI.,:;|!'()[] ")
_WIDE = frozenset("mwMW@%—")


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, y growing downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Tell whether the two rectangles share any area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def fits(self, width: float, height: float, taken: Sequence["Box"]) -> bool:
        """Tell whether the rectangle is inside a plot and overlaps nothing that is taken."""
        across = self.left >= 0 and self.right <= width
        inside = across and self.top >= 0 and self.bottom <= height
        return inside and not any(self.overlaps(other) for other in taken)


def text_width(text: str, font_size: float = 12) -> float:
    """Return the estimated width of a line of sans-serif text in pixels."""
    width = 0.0
    for character in text:
        if character in _NARROW:
            width += 0.38
        elif character in _WIDE or ord(character) > 0x2E80:
            width += 1.02
        elif character.isupper():
            width += 0.74
        else:
            width += 0.62
    return width * font_size


def spread(positions: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions on a line apart until neighbours keep a gap, as little as possible.

    Adjacent positions that are too close are merged into a block, which is centred on the mean of
    its members: the least-squares solution (pool adjacent violators, Barlow et al. 1972). The
    blocks are then pushed inside ``[low, high]``; if all of them do not fit, they overflow it
    evenly at both ends.

    Parameters
    ----------
    positions : sequence of float
        Wanted positions, in any order.
    gap : float
        Smallest distance between neighbours, in the unit of `positions`.
    low, high : float
        The range to stay in, where there is room for all.

    Returns
    -------
    list of float
        New positions in the order of the input.

    Examples
    --------
    >>> spread([0.0, 0.0, 10.0], gap=2.0, low=-5.0, high=20.0)
    [-1.0, 1.0, 10.0]
    """
    if not positions:
        return []
    needed = gap * (len(positions) - 1)
    if needed > high - low:
        middle = (low + high) / 2
        low, high = middle - needed / 2, middle + needed / 2
    # Most charts have no lines, and wait for no optimisation.
    from scipy.optimize import isotonic_regression

    order = np.argsort(positions, kind="stable")
    steps = gap * np.arange(len(positions))
    # With the k-th gap subtracted, "keep a gap" turns into "do not decrease".
    fitted = isotonic_regression(np.asarray(positions)[order] - steps).x
    result = np.empty(len(positions))
    result[order] = fitted.clip(low, high - needed) + steps
    return list(map(float, result))


def place_labels(
    points: Sequence[tuple[float, float]],
    texts: Sequence[str],
    width: float,
    height: float,
    *,
    obstacles: Sequence[Box] = (),
) -> list[Box | None]:
    """Find a free place beside each point for its name.

    Greedy: places next to the points are tried first, right, left, above, below and on the
    diagonals, then places farther away; at each distance the most crowded points choose first. A
    name for which no place is free gets none; its point keeps its tooltip and its table row.

    Parameters
    ----------
    points : sequence of (x, y)
        Points in pixels, y growing downwards, inside ``width`` × ``height``.
    texts : sequence of str
        One name per point.
    width, height : float
        Size of the plot; names stay inside it.
    obstacles : sequence of Box
        Further areas to keep free, such as intervals.

    Returns
    -------
    list of Box or None
        The rectangle of each name, in the order of the input.
    """
    taken = [Box(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in points]
    taken.extend(obstacles)
    places: list[Box | None] = [None] * len(points)
    crowded_first = sorted(range(len(points)), key=lambda i: (-_neighbours(points, i), i))
    for step in _STEPS:
        for index in crowded_first:
            if places[index] is None:
                boxes = _candidates(*points[index], text_width(texts[index]), _RADIUS + 1 + step)
                free = (box for box in boxes if box.fits(width, height, taken))
                places[index] = next(free, None)
                taken.extend(box for box in (places[index],) if box is not None)
    return places


def along(start: tuple[float, float], end: tuple[float, float]) -> list[Box]:
    """Return small rectangles along a line, for names to keep clear of.

    Examples
    --------
    >>> [box.left for box in along((1, 1), (11, 1))]
    [0.0, 5.0, 10.0]
    """
    (x, y), (to_x, to_y) = start, end
    steps = max(1, round(max(abs(to_x - x), abs(to_y - y)) / 5))
    centres = ((x + (to_x - x) * i / steps, y + (to_y - y) * i / steps) for i in range(steps + 1))
    return [Box(at - 1, high - 1, at + 1, high + 1) for at, high in centres]


def _neighbours(points: Sequence[tuple[float, float]], index: int, reach: float = 60) -> int:
    x, y = points[index]
    return sum(abs(x - other_x) < reach and abs(y - other_y) < reach for other_x, other_y in points)


def _candidates(x: float, y: float, size: float, near: float) -> list[Box]:
    """Return places for a name around a point, best first: beside, above, below, diagonal."""
    half = LABEL_HEIGHT / 2
    corners = (
        (x + near, y - half),
        (x - near - size, y - half),
        (x - size / 2, y - near - LABEL_HEIGHT),
        (x - size / 2, y + near),
        (x + near, y - near - half),
        (x + near, y + near - half),
        (x - near - size, y - near - half),
        (x - near - size, y + near - half),
    )
    return [Box(left, top, left + size, top + LABEL_HEIGHT) for left, top in corners]


_ASIDE = 14
"""Pixels between the plot and the names, for thin leaders."""
_WIDEST = 240
"""Pixels of a name; it is whole in the tooltip of its line."""


def line_names(
    last: Sequence[Row],
    axes: Mapping[str, Channel],
    size: tuple[int, int],
    encoding: Mapping[str, Any],
) -> list[Layer]:
    """Return the names of lines at their right ends, with leaders.

    Parameters
    ----------
    last : sequence of Row
        The row of each `line` that is furthest to the right.
    axes : mapping
        Channels x and y of the lines; the latter with its limits.
    size : tuple of int
        Width and height of the plot in pixels.
    encoding : mapping
        Further channels of the names, such as their colour.
    """
    width, height = size
    x, y = axes["x"], axes["y"]
    low, high = y["scale"]["domain"]
    ends = [number(row, y["field"]) or 0.0 for row in last]
    places = spread(ends, LABEL_HEIGHT * (high - low) / height, low, high)
    values: list[dict[str, Value]] = [
        {key: row[key] for key in ("line", x["field"], y["field"])} | {"place": place}
        for row, place in zip(last, places, strict=True)
    ]
    data = {"data": {"values": values}}
    side = {"x": {"value": width + _ASIDE}}
    leader = {"x": x, "y": y, "x2": side["x"], "y2": {"field": "place"}}
    label = {"style": "label", "align": "left", "dx": 4, "limit": _WIDEST}
    return [
        data | layer({"type": "rule", "style": "leader"}, leader),
        data | labels("line", label, **side, y=y | {"field": "place"}, **encoding),
    ]
