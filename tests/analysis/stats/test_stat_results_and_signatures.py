"""Results go to JSON and back; signatures say which variant a number is."""

import json
from dataclasses import asdict

import pytest

from analysis.stats.results import Estimate, Interval, Undefined
from analysis.stats.signature import signature


def test_a_result_goes_to_json_with_all_that_it_holds() -> None:
    estimate = Estimate(
        0.5,
        n=10,
        unit="systems",
        signature=signature("pearson", level="system"),
        raters=2,
        pairs=45,
        p_value=0.01,
        interval=Interval(0.1, 0.8, 0.95, "Fisher z"),
        details={"left_out": 3, "systems": ["a", "b"]},
    )
    undefined = Undefined("all tied", n=4, unit="segments", signature="x|v:0.1", details={"k": 1})
    for kind, result in (("estimate", estimate), ("undefined", undefined)):
        stored = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert stored == {"kind": kind, **asdict(result)}


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_an_estimate_is_never_nan_or_infinite(value) -> None:
    with pytest.raises(ValueError, match="finite"):
        Estimate(value, n=3)


def test_a_signature_is_the_same_in_whatever_order_its_parts_come() -> None:
    first = signature("kendall_tau-like", min_gap=25.0, human="raw", metric_ties="half", seed=None)
    second = signature("Kendall tau-like", metric_ties="half", human="RAW", min_gap=25)
    assert first == second == "kendall-tau-like|human:raw|metric-ties:half|min-gap:25|v:0.1"


@pytest.mark.parametrize("value", ["a|b", "a:b", "", float("nan")])
def test_a_value_that_would_break_a_signature_is_refused(value) -> None:
    with pytest.raises(ValueError, match=r"signature"):
        signature("x", variant=value)
