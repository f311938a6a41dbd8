"""Values of pieces reach another process as they are, whatever the piece declares to return."""

import json
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from analysis.reports.report_job import packed, unpacked
from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.results import Estimate, Interval, Result, Undefined

ESTIMATE = Estimate(0.1 + 0.2, n=3, interval=Interval(-1 / 3, 1e-300, 0.95, "by hand"))
NONE = Undefined("nobody rated", unit="outputs", details={"draws": 3})


@dataclass(frozen=True)
class Found:
    name: str
    result: Result
    draws: FloatArray


def floats() -> FloatArray:
    return np.array([[0.1, np.nan], [-0.0, np.inf]])


def counts() -> IntArray:
    return np.arange(3)


def results() -> tuple[Result, ...]:
    return ESTIMATE, NONE


def found() -> tuple[Found, ...]:
    return (Found("first", ESTIMATE, floats()), Found("second", NONE, np.empty(0)))


def nothing() -> Found | None:
    return None


def sent(piece):
    """Return the value of a piece as another process gets it."""
    return unpacked(piece, json.loads(json.dumps(packed(piece))))


@pytest.mark.parametrize("piece", [floats, counts, partial(floats)])
def test_no_bit_of_an_array_is_lost(piece):
    assert sent(piece).dtype == piece().dtype
    assert sent(piece).tobytes() == piece().tobytes()
    assert sent(piece).shape == piece().shape
    assert sent(piece).flags.writeable


def test_results_and_dataclasses_arrive_as_they_were():
    assert sent(results) == results()
    assert sent(nothing) is None
    for one, other in zip(sent(found), found(), strict=True):
        assert (one.name, one.result) == (other.name, other.result)
        assert one.draws.tobytes() == other.draws.tobytes()
