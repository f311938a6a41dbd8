"""Every chart has its table, with the numbers that are drawn and none invented."""

import math

import pytest

from analysis.charts.chart import table_rows
from analysis.charts.dots import system_means
from analysis.charts.heat_map import difference_matrix, heat_map
from analysis.charts.outputs import score_scatter
from analysis.charts.scatter import trade_off
from analysis.charts.table import Row
from tests.analysis.charts.test_chart_pictures import charts


def mean(system: str, aspect: str, value: float | None) -> Row:
    """Return a system's mean as a row."""
    return {"system": system, "aspect": aspect, "mean": value}


WITH_UNDEFINED = (
    *("small dots", "heat map", "curves", "agreement", "by direction", "means"),
    *("plan", "metrics", "strata", "sweep"),
)
"""Kinds of which one number is undefined in `charts`."""


@pytest.mark.parametrize("kind", [*WITH_UNDEFINED, "shares", "scatter"])
def test_every_drawn_row_stands_in_the_table_with_the_same_number(kind: str) -> None:
    chart = charts(4)[kind]
    drawn = chart.spec["data"]["values"]
    records = chart.records()
    keys = [key for key in ("value", "mean", "human", "metric", "share") if key in drawn[0]]
    numbers = [key for key in keys if key in records[0]]
    assert numbers
    for key in numbers:
        assert [row[key] for row in records] == [datum[key] for datum in drawn]


@pytest.mark.parametrize("kind", WITH_UNDEFINED)
def test_an_undefined_value_is_a_marked_dash_in_the_table(kind: str) -> None:
    cells = [cell for row in table_rows(charts(4)[kind]) for cell in row]
    undefined = [cell for cell in cells if cell.value is None]
    assert undefined
    assert all(cell.text == "–" and cell.undefined for cell in undefined)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        heat_map([{"metric": "bleu", "aspect": "style", "value": value}], title="t", statistic="r")
    with pytest.raises(ValueError, match="cannot be drawn"):
        system_means([mean("NIU", "style", value)], title="t", score="mean")


def test_a_difference_is_drawn_from_both_sides_and_stands_in_the_table_once() -> None:
    gaps = [
        {"first": "bleu", "second": "chrf", "value": 0.25, "p_value": 0.01, "detected": True},
        {"first": "chrf", "second": "wmd", "value": None},
    ]
    chart = difference_matrix(
        gaps, ["bleu", "chrf", "wmd"], title="t", statistic="r", things="metrics"
    )
    drawn = {
        (d["row"], d["column"]): (d["value"], d["found"]) for d in chart.spec["data"]["values"]
    }
    assert drawn["bleu", "chrf"] == (0.25, "higher")
    assert drawn["chrf", "bleu"] == (-0.25, "lower")
    assert drawn["wmd", "chrf"] == (None, "no")
    assert [row["value"] for row in chart.records()] == [0.25, None]
    assert "a difference was detected for 1 of 1 pair; 1 undefined" in chart.description
    with pytest.raises(ValueError, match="cannot be drawn"):
        difference_matrix(
            [{"first": "a", "second": "b", "value": math.nan}],
            "ab",
            title="t",
            statistic="r",
            things="metrics",
        )


def test_the_front_holds_what_no_other_beats_on_both_sides() -> None:
    settings = [
        {"system": "high style", "x": 5, "y": 1, "model": "a"},
        {"system": "beaten", "x": 4, "y": 1, "model": "a"},
        {"system": "high content", "x": 1, "y": 5, "model": "b"},
        {"system": "unrated", "x": None, "y": 5, "model": "b"},
    ]
    chart = trade_off(settings, title="t", x_label="style", y_label="content")
    assert [row["on_front"] for row in chart.records()] == ["yes", "no", "yes", "no"]
    plotted = [datum["system"] for datum in chart.spec["data"]["values"]]
    assert plotted == ["high style", "beaten", "high content"]
    assert "high style, high content" in chart.description
    assert "1 undefined on a side" in chart.description
    with pytest.raises(ValueError, match="cannot be drawn"):
        trade_off([{"system": "a", "x": math.inf, "y": 1}], title="t", x_label="x", y_label="y")


def test_bins_of_outputs_keep_their_counts_and_refuse_nan() -> None:
    bins = [
        {"metric_low": 0, "metric_high": 1, "human_low": 0, "human_high": 50, "n": 3},
        {"metric_low": 1, "metric_high": 2, "human_low": 50, "human_high": 100, "n": 4},
    ]
    chart = score_scatter(bins, title="t", metric_label="bleu", human_label="people")
    assert [row["n"] for row in chart.records()] == [3, 4]
    assert "for 7 outputs; most, 4, at [1.000, 2.000]" in chart.description
    with pytest.raises(ValueError, match="cannot be drawn"):
        score_scatter(
            [bins[0] | {"metric_low": math.nan}], title="t", metric_label="m", human_label="h"
        )


def test_systems_stand_in_the_order_of_their_average_with_unrated_ones_last() -> None:
    means = [
        mean("none", "style", None),
        mean("low", "style", 10.0),
        mean("high", "style", 90.0),
        mean("mixed", "style", 95.0),
        mean("mixed", "content", 15.0),
    ]
    chart = system_means(means, title="t", score="mean")
    order = chart.spec["spec"]["encoding"]["y"]["scale"]["domain"]
    assert order == ["high", "mixed", "low", "none"]
