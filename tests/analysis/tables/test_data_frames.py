"""Results and tables as data frames of pandas."""

import numpy as np
import pandas

from analysis.stats.results import Estimate, Interval, Undefined
from analysis.tables.flat_table import FlatTable


def test_an_estimate_is_a_row_with_its_interval_in_columns() -> None:
    interval = Interval(0.1, 0.4, 0.95, "percentile bootstrap over segments")
    estimate = Estimate(0.25, 40, "segments", "pearson|v:1", p_value=0.01, interval=interval)
    [row] = estimate.to_frame().to_dict("records")
    assert (row["value"], row["low"], row["high"], row["confidence"]) == (0.25, 0.1, 0.4, 0.95)
    assert (row["n"], row["unit"], row["p_value"]) == (40, "segments", 0.01)


def test_results_of_both_kinds_stack_and_what_is_undefined_keeps_its_reason() -> None:
    results = [Estimate(0.5, 3), Undefined("all scores are tied", 3)]
    frame = pandas.concat([each.to_frame() for each in results], ignore_index=True)
    assert frame["kind"].tolist() == ["estimate", "undefined"]
    assert np.isnan(frame["value"][1])
    assert frame["reason"][1] == "all scores are tied"


def test_a_table_keeps_its_cells_and_says_where_they_come_from() -> None:
    rows = (("bleu", 0.5), ("chrf", None))
    table = FlatTable(
        "t", "Title", ("metric", "value"), rows, sources=("study: x",), simulated=True
    )
    frame = table.to_frame()
    assert frame["metric"].tolist() == ["bleu", "chrf"]
    assert frame["value"].isna().tolist() == [False, True]
    assert frame.attrs == {"title": "Title", "sources": ["study: x"], "simulated": True}
