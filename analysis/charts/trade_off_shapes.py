"""How extreme trade-offs look, as an aid for reading plots of systems by two scores."""

from collections.abc import Callable
from math import cos, pi, sin
from typing import Unpack

from analysis.charts.axes import number_axis
from analysis.charts.chart import Chart
from analysis.charts.drawing import Titles, draw
from analysis.charts.layers import Layer, labels, layer
from analysis.charts.table import Row, Table, numbers, texts

_WIDTH, _HEIGHT = 300, 260
_STEPS = 40
SHAPES = {
    "little is lost": 4.0,
    "as much is lost": 1.0,
    "nearly all is lost at once": 0.4,
}
"""Trade-offs by the power p of the curve x^p + y^p = 1 that systems would lie on."""
_INSIDE, _OUTSIDE = {"align": "right", "dx": -8, "dy": 10}, {"align": "left", "dx": 8, "dy": -8}


def trade_off_shapes(*, x_label: str, y_label: str, **titles: Unpack[Titles]) -> Chart:
    """Draw the curves on which settings of one system lie under extreme trade-offs.

    As figure 1 of Mir et al. (2019): a curve that bends to the upper right loses little of the one
    for the other; a curve that bends to the lower left loses nearly all of it.

    Parameters
    ----------
    x_label, y_label : str
        Titles of the axes; higher is better on both.
    """
    titles.setdefault("name", "trade-off-shapes")
    points: list[Row] = [
        {"shape": name, "x": _side(cos, step, power), "y": _side(sin, step, power)}
        for name, power in SHAPES.items()
        for step in range(_STEPS + 1)
    ]
    table = Table((*texts(shape="Shape"), *numbers(x="First", y="Second")), points)
    scale = {"domain": [0, 1.08], "nice": False}
    plain = {"ticks": False, "labels": False, "grid": False}
    line = {"type": "line", "strokeWidth": 1.6, "style": "zero"}
    return draw(
        table,
        titles,
        description="Curves of extreme trade-offs between two scores: one bends to the upper "
        "right, where little of the one is lost for the other; one is straight; one bends to the "
        "lower left, where nearly all is lost at once.",
        title_width=_WIDTH + 60,
        width=_WIDTH,
        height=_HEIGHT,
        data={"values": [dict(point) for point in points]},
        encoding={
            "x": number_axis("x", x_label, scale, plain),
            "y": number_axis("y", y_label, scale, plain),
        },
        layer=[
            layer(
                line,
                {
                    "detail": {"field": "shape", "type": "nominal"},
                    "order": {"field": "x", "type": "quantitative"},
                },
            ),
            *(_name(name, power) for name, power in SHAPES.items()),
        ],
    )


def _side(of_angle: Callable[[float], float], step: int, power: float) -> float:
    return float(max(0.0, round(of_angle(pi / 2 * step / _STEPS), 12)) ** (2 / power))


def _name(name: str, power: float) -> Layer:
    """Return a curve's name beside the place where the curve crosses the diagonal."""
    place = 0.5 ** (1 / power)
    text = {"style": "label"} | (_INSIDE if power > 1 else _OUTSIDE)
    return labels("shape", text) | {"data": {"values": [{"shape": name, "x": place, "y": place}]}}
