"""Planning on the demo study: components, what sizes reach, plans and how they are checked."""

from dataclasses import asdict
from typing import Any

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.planning.report import components_of
from analysis.reports.service import report
from analysis.stats.planning.study_planner import (
    margin_of_system_difference,
    margin_of_system_mean,
    segments_for_metric_difference,
)
from analysis.stats.planning.variance_components import VarianceComponents
from corpus.models import Study
from tests.fixtures.report_pages import open_page, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]
STUDY = "/studies/formality-demo"
CONTENT = Question(aspect="content")
APART = {"first": "0.7", "second": "0.5", "between": "0.4"}


def components(study: Study) -> VarianceComponents:
    found = components_of(matrices.load(study), CONTENT, "content")
    assert isinstance(found, VarianceComponents)
    return found


def plan_of(study: Study, **asked: Any) -> dict[str, Any]:
    return report(study, "planning", Question.parse({"aspect": "content", **asked}))["content"][
        "plan"
    ]


@pytest.mark.parametrize(
    ("goal", "margin"),
    [("difference", margin_of_system_difference), ("mean", margin_of_system_mean)],
)
def test_the_table_holds_what_each_size_reaches(study, goal, margin):
    plan, found = plan_of(study, goal=goal), components(study)
    for segments, values in zip(plan["segments"], plan["reached"], strict=True):
        for raters, value in zip(plan["raters"], values, strict=True):
            assert value == pytest.approx(margin(found, segments, raters))
    now = plan["now"]
    assert now["reached"] == pytest.approx(margin(found, now["segments"], now["raters"]))
    # Half of now is out of reach of this panel: the goal is the nearest that is not.
    least = plan["reached"][-1][plan["raters"].index(plan["panel"])]
    assert now["reached"] / 2 < least <= plan["wanted"] < 1.05 * least
    [planned] = [each for each in plan["plans"] if each["raters"] == plan["panel"]]
    assert planned["plan"] is not None


def test_a_plan_keeps_its_promise_when_simulated(study):
    check = plan_of(study, goal="difference", half_width="6")["check"]
    assert check["kind"] == "check"
    assert check["wanted"] == 0.95
    assert abs(check["share"] - 0.95) < 3.5 * check["standard_error"]


def test_metrics_are_told_apart_as_often_as_planned(study):
    plan = plan_of(study, goal="metrics", panel="2", **APART)
    expected = segments_for_metric_difference(components(study), 0.7, 0.5, 0.4, 2, power=0.8)
    of_two = next(entry for entry in plan["plans"] if entry["raters"] == 2)
    assert of_two["plan"] == asdict(expected)
    check = plan["check"]
    assert abs(check["share"] - check["wanted"]) < 3.5 * check["standard_error"]
    powers = [values[plan["raters"].index(2)] for values in plan["reached"]]
    assert powers == sorted(powers)


def test_what_cannot_be_planned_is_said(study, client):
    plan = plan_of(study, goal="difference", half_width="0.01")
    assert all(entry["plan"] is None for entry in plan["plans"])
    assert "more raters are needed" in plan["plans"][0]["reason"]
    assert plan["check"]["kind"] == "undefined"
    plan = plan_of(study, goal="metrics", first="0.9", second="-0.9", between="0.9")
    assert "no two metrics can have the correlations" in plan["correlations"]["reason"]
    text = words(open_page(client, f"{STUDY}/planning/?aspect=content&half_width=0.01"))
    assert "Not checked by simulation: raters differ too much" in text


def test_the_page_says_where_variance_comes_from_and_what_to_collect(client):
    page = open_page(client, f"{STUDY}/planning/?aspect=content&half_width=6")
    found = tables(page)
    assert [cells[0].text for _, cells in found["Variance components"].rows][:3] == [
        "system",
        "segment",
        "rater",
    ]
    assert "Ratings in all" in found["Fewest segments"].headings
    text = words(page)
    assert "Checked by simulation with" in text
    assert "simulated studies of the planned size" in text
    assert len(list(page.iter("figure"))) == 2
