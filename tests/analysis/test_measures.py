"""Nothing is pooled that was asked differently, and every report can be cut to what was."""

import json

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as reference_kappa

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.models import Annotator, Campaign
from corpus.models import Study
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.report_pages import open_page, reader, tables
from tests.fixtures.simulated_ratings import rate_everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    matrices.forget()
    return make_study(segments=6, systems=3)


def rated(study: Study, protocol: str, annotators: int = 3, **values) -> Campaign:
    campaign, people = make_campaign(study, protocol, annotators=annotators, **values)
    rate_everything(campaign, people)
    return campaign


def kappas(study: Study, **question: str) -> dict[str, float]:
    numbers = report(study, "agreement", Question(**question))["content"]["numbers"]
    return {
        row["aspect"]: row["result"].get("value")
        for row in numbers
        if row["statistic"] == "fleiss-kappa" and row["batch"] == "all"
    }


def test_masked_and_plain_content_have_a_kappa_each_equal_to_that_of_the_campaign_alone(study):
    plain = rated(study, "content_preservation", config={"masked": False})
    masked = rated(study, "content_preservation", config={"masked": False})
    # The texts were the same here; what counts is what the campaign says of them.
    Campaign.objects.filter(pk=masked.pk).update(config={"masked": True})
    matrices.forget()
    found = kappas(study)
    assert set(found) >= {"content (masked)", "content (plain)"}
    for campaign, name in ((plain, "content (plain)"), (masked, "content (masked)")):
        cells = campaign.items.values_list("pk", "submissions__ratings__value")
        values: dict[int, list[float]] = {}
        for item, value in cells:
            values.setdefault(item, []).append(value)
        table, _ = aggregate_raters(np.array(list(values.values())))
        assert found[name] == pytest.approx(reference_kappa(table), abs=1e-9)


def test_one_aspect_on_two_scales_is_two_measures_and_not_taken_together(study):
    rated(study, "absolute_naturalness")
    rated(study, "direct_assessment", config={"aspects": ["naturalness"]})
    names = matrices.load(study).judgements.aspects
    assert set(names) == {"naturalness (absolute)", "naturalness (direct assessment)"}
    assert "all together" not in kappas(study)


@pytest.mark.parametrize(
    ("filters", "measures"),
    [
        ({"campaign": "campaign-1"}, {"style (transfer intensity)"}),
        ({"protocol": "direct-assessment", "aspect": "style"}, {"style (direct assessment)"}),
        ({"aspect": "style_strength"}, {"style (transfer intensity)",
                                        "style (direct assessment)"}),
    ],
)  # fmt: skip
def test_reports_can_be_cut_to_a_campaign_a_protocol_or_an_aspect(study, filters, measures):
    rated(study, "style_transfer_intensity")
    rated(study, "direct_assessment")
    for kind in ("agreement", "ranking", "raters"):
        content = report(study, kind, Question(**filters))["content"]
        assert set(content["aspects"]) == measures, kind


def test_models_are_no_people_unless_they_are_asked_for_and_then_stand_apart(study):
    campaign = rated(study, "absolute_naturalness", annotators=4)
    judge = campaign.annotators.order_by("pk").last()
    Annotator.objects.filter(pk=judge.pk).update(kind="model")
    matrices.forget()
    assert report(study, "ranking", Question())["content"]["aspects"] == ["naturalness"]
    assert {
        row["raters"]
        for row in report(study, "agreement", Question())["content"]["numbers"]
        if row["batch"] == "all"
    } == {3}
    both = report(study, "ranking", Question(raters="all"))["content"]
    assert both["aspects"] == ["naturalness", "naturalness (models)"]
    alone = report(study, "ranking", Question(raters="model"))["content"]
    assert alone["aspects"] == ["naturalness (models)"]
    means = {
        table["aspect"]: {s["system"]: s["raw"]["result"]["value"] for s in table["systems"]}
        for table in both["tables"]
    }
    values = judge.submissions.values_list("item__first__system__name", "ratings__value")
    by_system: dict[str, list[float]] = {}
    for system, value in values:
        by_system.setdefault(system, []).append(value)
    assert means["naturalness (models)"] == {s: np.mean(v) for s, v in by_system.items()}
    table = tables(open_page(reader("ada", "small"), "/studies/small/ranking/?raters=all"))
    assert "Ranking by naturalness (models)" in table


def test_the_match_of_a_name_can_be_declared_and_older_frozen_names_still_resolve(study):
    rated(study, "direct_assessment", config={"aspects": ["humour"]})
    assert [m.family for m in matrices.load(study).judgements.measures] == ["other"]
    study.declarations = {"aspects": {"humour": {"family": "style"}}}
    study.revision += 1
    study.save()
    (measure,) = matrices.load(study).judgements.measures
    assert (measure.name, measure.family) == ("humour", "style")
    study.declarations = {"aspects": {"humour": {"aspect": "content"}}}
    study.revision += 1
    study.save()
    assert matrices.load(study).judgements.aspects == ("content",)
    content = report(study, "agreement", Question(aspect="humour"))["content"]
    assert content["aspects"] == ["content"]
    assert json.dumps(content)


def test_a_model_that_rated_is_compared_with_people_as_a_metric_is(study):
    campaign = rated(study, "absolute_naturalness", annotators=4)
    judge = campaign.annotators.order_by("pk").last()
    Annotator.objects.filter(pk=judge.pk).update(kind="model", pseudonym="gpt-4")
    matrices.forget()
    content = report(study, "correlation", Question(resamples=100))["content"]
    (row,) = content["rows"]
    assert (row["metric"], row["relation"]) == ("gpt-4 on naturalness (models)", "own")
    ratings: dict[str, dict[int, list[float]]] = {"model": {}, "person": {}}
    for output, kind, value in campaign.items.values_list(
        "first", "submissions__annotator__kind", "submissions__ratings__value"
    ):
        ratings[kind].setdefault(output, []).append(value)
    both = [[np.mean(ratings[kind][output]) for output in ratings["model"]] for kind in ratings]
    expected = np.corrcoef(both)[0, 1]
    assert row["results"]["segment_pearson"]["value"] == pytest.approx(expected, abs=1e-9)
