"""Contents of reports come back from their JSON as they were."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from analysis.reports.content import Content
from analysis.stats.results import Estimate, Interval, Result, Undefined

ESTIMATE = Estimate(0.5, n=4, interval=Interval(0.2, 0.8, 0.95, "Fisher z"))
UNDEFINED = Undefined("no ratings", unit="outputs")


@dataclass(frozen=True)
class Check:
    kind: str
    share: float


@dataclass(frozen=True)
class Report(Content):
    results: Mapping[str, Result]
    check: Check | Undefined
    reason: Undefined | None
    later: tuple[float | None, ...] = ()


@pytest.mark.parametrize("check", [Check("check", 0.5), UNDEFINED])
@pytest.mark.parametrize("reason", [None, UNDEFINED])
def test_results_and_what_may_be_undefined_come_back_as_they_were(check, reason):
    report = Report({"r": ESTIMATE, "tau": UNDEFINED}, check, reason, (0.5, None))
    assert Report.from_dict(json.loads(json.dumps(report.to_dict()))) == report


def test_a_report_that_was_stored_before_lacks_what_came_later():
    stored = Report({}, UNDEFINED, None, (1.0,)).to_dict()
    del stored["later"]
    assert Report.from_dict(stored).later == ()
