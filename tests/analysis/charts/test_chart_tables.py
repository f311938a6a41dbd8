"""Every chart has its table, with the numbers that are drawn and none invented."""

import math

import pytest

from analysis.charts.bars import agreement_bars, variance_shares
from analysis.charts.chart import Chart, table_rows
from analysis.charts.curves import top_last_curves
from analysis.charts.direction_dots import direction_dots
from analysis.charts.dots import metric_dots, stratum_dots, system_means
from analysis.charts.heat_map import difference_matrix, heat_map
from analysis.charts.lines import (
    plan_curves,
    sweep_curves,
)
from analysis.charts.outputs import score_scatter
from analysis.charts.scatter import system_scatter, trade_off
from analysis.charts.small_dots import small_dots
from analysis.charts.table import Row


def mean(system: str, aspect: str, value: float | None) -> Row:
    """Return a system's mean as a row."""
    return {"system": system, "aspect": aspect, "mean": value}


def one_of_each(value: float | None) -> dict[str, Chart]:
    """Each chart with one number at hand and one that the caller chooses."""
    cells = [
        {"metric": "bleu", "aspect": "style", "value": 0.5},
        {"metric": "chrf", "aspect": "style", "value": value, "reason": "tied"},
    ]
    points = [
        {"metric": "bleu", "end": end, "systems": systems}
        | {"value": 0.25 * systems / 4 if systems > 3 else value}
        for end in ("top", "last")
        for systems in (4, 3)
    ]
    bars = [
        {"batch": "a", "aspect": "style", "value": 0.5},
        {"batch": "overall", "aspect": "style", "value": value, "overall": True},
    ]
    means = [mean("NIU", "style", 70.0), mean("LUO", "style", value)]
    by_direction = [
        {"system": "NIU", "score": "bleu", "direction": direction, "mean": number}
        for direction, number in (("up", 0.5), ("down", value))
    ]
    sweep = [
        {"line": "[PAD]", "threshold": 0.1, "value": 0.5},
        {"line": "[PAD]", "threshold": 0.2, "value": value},
    ]
    sizes = [
        {"segments": 20, "raters": 2, "value": 0.5},
        {"segments": 50, "raters": 2, "value": value},
    ]
    shares = [
        {"aspect": "style", "source": "system", "share": 0.5},
        {"aspect": "style", "source": "rater", "share": value},
    ]
    metrics = [
        {"metric": "bleu", "compared_to": "source", "value": 0.5},
        {"metric": "ppl", "value": value},
    ]
    strata = [
        {"metric": "bleu", "stratum": "long", "value": 0.5},
        {"metric": "bleu", "stratum": "short", "value": value},
    ]
    systems = [
        {"system": "NIU", "human": 70.0, "metric": 0.5},
        {"system": "LUO", "human": value, "metric": 0.25},
    ]
    small = [{"name": "NIU", "value": 0.5}, {"name": "LUO", "value": value}]
    return {
        "small dots": small_dots(small, title="t", statistic="r"),
        "heat map": heat_map(cells, title="t", statistic="r"),
        "curves": top_last_curves(points, title="t", statistic="r"),
        "agreement": agreement_bars(bars, title="t", statistic="alpha"),
        "by direction": direction_dots(by_direction, title="t"),
        "means": system_means(means, title="t", score="mean"),
        "plan": plan_curves(sizes, title="t", reached="power", wanted=0.8),
        "shares": variance_shares(shares, title="t"),
        "metrics": metric_dots(metrics, title="t", statistic="r", ceiling=0.9),
        "strata": stratum_dots(strata, title="t", statistic="r"),
        "sweep": sweep_curves(sweep, title="t", statistic="r"),
        "scatter": system_scatter(
            systems, title="t", human_label="h", metric_label="m", correlation="r undefined"
        ),
    }


KINDS = list(one_of_each(0.5))


@pytest.mark.parametrize("kind", KINDS)
def test_every_drawn_row_stands_in_the_table_with_the_same_number(kind: str) -> None:
    chart = one_of_each(0.375)[kind]
    drawn = chart.spec["data"]["values"]
    records = chart.records()
    keys = [key for key in ("value", "mean", "human", "metric", "share") if key in drawn[0]]
    numbers = [key for key in keys if key in records[0]]
    assert numbers
    for key in numbers:
        assert [row[key] for row in records] == [datum[key] for datum in drawn]


@pytest.mark.parametrize("kind", KINDS)
def test_an_undefined_value_is_a_marked_dash_in_the_table_and_never_a_zero(kind: str) -> None:
    cells = [cell for row in table_rows(one_of_each(None)[kind]) for cell in row]
    undefined = [cell for cell in cells if cell.value is None]
    assert undefined
    assert all(cell.text == "–" and cell.undefined for cell in undefined)
    assert "0.000" not in [cell.text for cell in cells]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_are_refused(kind: str, value: float) -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        one_of_each(value)[kind]


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
