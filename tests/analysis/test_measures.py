"""Nothing is pooled that was asked differently, and every report can be cut to what was."""

import json

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as reference_kappa

from analysis.data import matrices
from analysis.data.measures import Measure, named
from analysis.data.narrowing import asked_data
from analysis.filter.question import Question, QuestionError
from analysis.reports.service import report
from annotation.models import Annotator, Campaign
from corpus.models import Study
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, reader, tables, words
from tests.fixtures.simulated_ratings import rate_everything

pytestmark = pytest.mark.django_db
SCORES = {"content": "content", "style": "style"}


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
        ({"protocol": "direct_assessment"}, {"style (direct assessment)", "content", "fluency"}),
        ({"protocol": "direct-assessment", "aspect": "style"}, {"style (direct assessment)"}),
        ({"aspect": "style_strength"}, {"style (transfer intensity)",
                                        "style (direct assessment)"}),
        ({"raters": "person"}, {"style (transfer intensity)", "style (direct assessment)",
                                "content", "fluency"}),
    ],
)  # fmt: skip
def test_reports_can_be_cut_to_a_campaign_a_protocol_or_an_aspect(study, filters, measures):
    rated(study, "style_transfer_intensity")
    rated(study, "direct_assessment")
    for kind in ("agreement", "ranking", "raters"):
        content = report(study, kind, Question(**filters))["content"]
        assert set(content["aspects"]) == measures, kind


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"campaign": "none"}, "campaign=none: this study has campaign-1"),
        ({"protocol": "likert"}, "protocol=likert: this study has absolute_naturalness"),
        ({"shown": "masked"}, "shown=masked: this study has none"),
        ({"raters": "model"}, "raters=model: this study has person"),
        ({"about": ("native:yes",)}, "about=native:yes: raters were asked nothing"),
        ({"aspect": "style"}, "aspect=style: this study has naturalness"),
    ],
)
def test_a_filter_that_names_what_is_not_there_is_refused_with_what_is(study, filters, message):
    rated(study, "absolute_naturalness")
    with pytest.raises(QuestionError) as caught:
        report(study, "agreement", Question(**filters))
    assert message in str(caught.value)
    address = "&".join(f"{k}={v if isinstance(v, str) else v[0]}" for k, v in filters.items())
    page = open_page(reader("ada", "small"), f"/studies/small/agreement/?{address}", status=400)
    assert message in words(page)


def test_answers_about_themselves_choose_annotators(study):
    campaign = rated(study, "absolute_naturalness", annotators=4)
    people = list(campaign.annotators.order_by("pk"))
    for place, person in enumerate(people):
        person.about = {"Native speaker?": "yes" if place < 3 else "no"}
        person.save(update_fields=["about"])
    matrices.forget()
    data = asked_data(study, Question(about=("Native speaker?:yes",)))
    assert {data.judgements.annotators[i].pseudonym for i in data.judgements.annotator} == {
        person.pseudonym for person in people[:3]
    }
    page = open_page(reader("ada", "small"), "/studies/small/agreement/")
    assert "Native speaker?: yes" in words(page)


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


def test_preferences_say_of_each_text_how_often_it_was_preferred(study):
    campaign = rated(study, "output_against_output", config={"tie": True})
    data = matrices.load(study)
    (name,) = data.judgements.aspects
    found = data.rated(name)
    wins: dict[int, list[float]] = {}
    rows = campaign.items.values_list(
        "first__ordinal", "second__ordinal", "submissions__ratings__choice"
    )
    for first, second, choice in rows:
        share = {"first": 1.0, "second": 0.0, "tie": 0.5}[choice]
        wins.setdefault(first, []).append(share)
        wins.setdefault(second, []).append(1 - share)
    for output, shares in at_least_one(wins.items()):
        given = found.value[data.stored_ordinals[found.output] == output]
        assert sorted(given) == sorted(shares)


def test_the_best_rank_is_the_highest_score(study):
    campaign = rated(study, "ranking")
    data = matrices.load(study)
    found = data.rated("overall")
    ranks = dict(campaign.items.values_list("first__ordinal", "submissions__ratings__value"))
    outputs = data.stored_ordinals[found.output]
    assert {int(o): 6 - v for o, v in zip(outputs, found.value, strict=True)} == ranks


def test_names_say_no_more_than_it_takes_to_tell_measures_apart():
    def names(*measures: Measure) -> list[str]:
        return [measure.name for measure in named(measures)]

    asked = Measure("content", "content", "content", "content_preservation", scale=(1, 5))
    assert names(asked) == ["content"]
    masked, plain = (
        Measure("content", "content", "content", "content_preservation", shown=shown)
        for shown in ("masked", "plain")
    )
    direct = Measure("content", "content", "content", "direct_assessment", scale=(0, 100))
    assert names(masked, plain, direct) == [
        "content (preservation, masked)",
        "content (preservation, plain)",
        "content (direct assessment)",
    ]
    model = Measure("content", "content", "content", "direct_assessment", raters="model")
    assert names(direct, model) == ["content", "content (models)"]
    means = Measure("content", "content", "content", "direct_assessment", raters="mean")
    people = Measure("content", "content", "content", "direct_assessment")
    assert names(people, means) == ["content (persons)", "content (means)"]
    assert len(set(names(asked, masked, plain, direct, model, means, people))) == 7


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
