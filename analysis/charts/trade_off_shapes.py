"""How extreme trade-offs look, as an aid for reading plots of systems by two scores."""

from typing import Unpack

import numpy as np

from analysis.charts.axes import number_axis
from analysis.charts.chart import Chart
from analysis.charts.drawing import Titles, draw
from analysis.charts.layers import labels, layer
from analysis.charts.table import Row, Table, numbers, texts

_WIDTH, _HEIGHT = 300, 260
_ANGLES = np.linspace(0, np.pi / 2, 41)
SHAPES = {
    "little is lost": 4.0,
    "as much is lost": 1.0,
    "nearly all is lost at once": 0.4,
}
"""Trade-offs by the power p of the curve x^p + y^p = 1 that systems would lie on."""


def trade_off_shapes(*, x_label: str, y_label: str, **titles: Unpack[Titles]) -> Chart:
    """Draw the curves on which settings of one system lie under extreme trade-offs.

    As figure 1 of Mir et al. (2019): a curve that bends to the upper right loses little of the one
    for the other; a curve that bends to the lower left loses nearly all of it.

    Parameters
    ----------
    x_label, y_label : str
        Titles of the axes; higher is better on both.
    """
    points: list[Row] = [
        {"shape": name, "x": float(x), "y": float(y)}
        for name, power in SHAPES.items()
        for x, y in np.column_stack((np.cos(_ANGLES), np.sin(_ANGLES))).round(12) ** (2 / power)
    ]
    table = Table((*texts(shape="Shape"), *numbers(x="First", y="Second")), points)
    scale = {"domain": [0, 1.08], "nice": False}
    plain = {"ticks": False, "labels": False, "grid": False}
    curve = {
        "detail": {"field": "shape", "type": "nominal"},
        "order": {"field": "x", "type": "quantitative"},
    }
    inside, outside = {"align": "right", "dx": -8, "dy": 10}, {"align": "left", "dx": 8, "dy": -8}
    # The name of a curve is where it crosses the diagonal.
    names = [
        labels("shape", {"style": "label"} | (inside if power > 1 else outside))
        | {"data": {"values": [{"shape": name} | dict.fromkeys("xy", 0.5 ** (1 / power))]}}
        for name, power in SHAPES.items()
    ]
    return draw(
        table,
        titles,
        "trade-off-shapes",
        description="Curves of extreme trade-offs between two scores: one bends to the upper "
        "right, where little of the one is lost for the other; one is straight; one bends to the "
        "lower left, where nearly all is lost at once.",
        width=_WIDTH,
        height=_HEIGHT,
        data={"values": [dict(point) for point in points]},
        encoding={
            "x": number_axis("x", x_label, scale, plain),
            "y": number_axis("y", y_label, scale, plain),
        },
        layer=[layer({"type": "line", "strokeWidth": 1.6, "style": "zero"}, curve), *names],
    )
