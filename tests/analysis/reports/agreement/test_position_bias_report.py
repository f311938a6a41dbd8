"""The agreement report says whether raters of pairs prefer a side."""

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.queue.handing_out import next_assignments
from tests.fixtures.campaigns import make_campaign, make_study, send

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("answer", ["a", "tie"])
def test_a_rater_who_always_takes_one_side_is_seen_in_the_report(answer):
    matrices.forget()
    study = make_study(10, 2)
    _campaign, [annotator] = make_campaign(
        study, "relative_naturalness", annotators=1, config={"tie": True}
    )
    while screen := next_assignments(annotator):
        send(annotator, screen[0], {"naturalness": answer})
    rows = report(study, "agreement", Question())["content"]["relative"]
    [found] = [row["result"] for row in rows if "side A" in row["statistic"]]
    if answer == "tie":
        assert found["kind"] == "undefined"
    else:
        assert found["value"] == (1.0 if answer == "a" else 0.0)
        assert found["n"] == 20
        assert found["p_value"] == pytest.approx(2 * 0.5**20)


def test_only_comparisons_of_the_selected_outputs_count():
    matrices.forget()
    study = make_study(10, 2)
    _campaign, [annotator] = make_campaign(study, "relative_naturalness", annotators=1)
    while screen := next_assignments(annotator):
        liked = screen[0].item.second.system.name == "system-0"
        send(annotator, screen[0], {"naturalness": "a" if liked else "b"})
    for asked, share in (
        (Question(systems=("system-0",)), 1.0),
        (Question(leave_out=("system-0",)), 0.0),
    ):
        [of_campaign] = [
            row["result"]
            for row in report(study, "agreement", asked)["content"]["relative"]
            if "side A" in row["statistic"]
        ]
        [of_rater] = report(study, "raters", asked)["content"]["sides"]
        for found in (of_campaign, of_rater["result"]):
            assert (found["n"], found["value"]) == (10, share)
