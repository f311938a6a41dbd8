"""What the preview of a campaign promises of agreement is what the report then has."""

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.launch.planning import answers_of, previewed
from annotation.queue.handing_out import next_assignments
from tests.fixtures.campaigns import make_campaign, make_study, possible_answers, send

pytestmark = pytest.mark.django_db
NAMES = {
    "percent agreement": "percent-agreement",
    "Fleiss' kappa": "fleiss-kappa",
    "Krippendorff's alpha": "alpha-interval",
    "Krippendorff's alpha (nominal)": "alpha-nominal",
    "Krippendorff's alpha (ordinal)": "alpha-ordinal",
    "Gwet's AC1": "gwet-ac1",
    "Gwet's AC1/AC2": "gwet-ac2-linear",
    "ICC(1)": "icc-1-1",
    "ICC(2) and ICC(3)": "icc-2-1",
    "Cohen's kappa and Pearson for every pair of annotators": "cohen-kappa",
    "Pearson for every pair of annotators": "pearson-of-rater-pairs",
}
PROTOCOLS = {
    "absolute_naturalness": "categories",
    "likert": "categories",
    "direct_assessment": "continuous",
    "relative_naturalness": "choices",
    "output_against_output": "choices",
    "ranking": "ranks",
    "best_worst": "ranks",
}

ONE_OF_EACH_KIND = ("likert", "direct_assessment", "relative_naturalness", "ranking")


@pytest.mark.parametrize(
    "protocol",
    [
        pytest.param(each, marks=[] if each in ONE_OF_EACH_KIND else pytest.mark.nightly)
        for each in PROTOCOLS
    ],
)
def test_every_statistic_that_the_preview_calls_possible_has_a_value_in_the_report(protocol):
    matrices.forget()
    study = make_study(8, 3)
    campaign, annotators = make_campaign(study, protocol, annotators=2)
    promised = previewed(campaign, 2).statistics
    assert answers_of(campaign) == PROTOCOLS[protocol]
    for number, annotator in enumerate(annotators):
        step = 0
        while screen := next_assignments(annotator):
            send(annotator, screen[0], *_given(campaign, len(screen), step + number))
            step += 1
    content = report(study, "agreement", Question())["content"]
    rows = content["choices"] if campaign.rules.layout.chooses else content["numbers"]
    defined = {row["statistic"] for row in rows if row["result"]["kind"] == "estimate"}
    assert promised
    assert {NAMES[name] for name in promised} <= defined


@pytest.mark.parametrize("protocol", ["direct_assessment", "relative_naturalness"])
def test_what_the_answers_rule_out_is_not_promised(protocol):
    campaign, _ = make_campaign(make_study(8, 3), protocol, annotators=2)
    found = previewed(campaign, 2)
    ruled_out = "Fleiss" if protocol == "direct_assessment" else "ICC"
    assert not any(ruled_out in name for name in found.statistics)
    assert any(ruled_out in reason for reason in found.impossible)


def _given(campaign, count: int, number: int) -> list[dict[str, str]]:
    """Answers that change from item to item."""
    if not campaign.rules.layout.chooses:
        return possible_answers(campaign, count, number)
    side = "ab"[number // 3 % 2]
    return [{each.aspect: side for each in campaign.rules.questions(campaign.config)}]
