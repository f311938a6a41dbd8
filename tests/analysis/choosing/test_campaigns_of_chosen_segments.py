"""From what rating a segment is worth to a campaign that rates it, and to weighted means."""

import json
import random

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from analysis.choosing import candidates
from analysis.choosing.candidates import ChoiceError
from analysis.choosing.service import SegmentsAsked, choose
from analysis.data import matrices
from analysis.data.narrowing import asked_data
from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.stats.saving.segment_sample import weighted_mean
from annotation.imports.declared import declared_campaigns
from annotation.launch.starting import start
from annotation.models import Campaign, Item
from annotation.selection.pool import build_pool
from corpus.jobs.worker import run_next
from corpus.models import Job, Membership, Segment, Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.html_forms import fields_of
from tests.fixtures.report_pages import open_page, tables, words
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
SEGMENTS, SYSTEMS = 30, ("one", "two", "three")
PAGE = "/studies/small/saving/segments/"
ASKED = {
    "by": "near", "segments": "12", "way": "probability", "strata": ["direction"],
    "allocation": "equal", "seed": "7", "title": "Few texts", "slug": "",
    "follows": "protocol:direct_assessment",
}  # fmt: skip


def files(campaigns=None, ratings=()):
    draw = random.Random(3)
    styles = [("informal", "formal")] * 20 + [("formal", "informal")] * 10
    places = [(n, system) for n in range(SEGMENTS) for system in SYSTEMS]
    declared = {"metrics": {"near": {"orientation": "higher"}}}
    if campaigns:
        declared["campaigns"] = campaigns
    made = {
        "study.json": declared,
        "segments.csv": [
            ["segment_id", "source", "source_style", "target_style"],
            *([f"s{n}", f"source {n}", *styles[n]] for n in range(SEGMENTS)),
        ],
        "outputs.csv": [
            ["segment_id", "system", "output"],
            *([f"s{n}", who, f"{who} {n % 4}"] for n, who in places),
        ],
        "metric_scores.csv": [
            ["segment_id", "system", "metric", "aspect", "score"],
            *([f"s{n}", who, "near", "fluency", repr(draw.random())] for n, who in places),
        ],
    }
    if ratings:
        header = ["segment_id", "system", "rater", "aspect", "score", "campaign"]
        made["ratings.csv"] = [header, *ratings]
    return made


def stored(folder, tables):
    job = import_path(write_files(folder, tables), folder.name)
    assert job.state == "done", job.result


@pytest.fixture(scope="module", autouse=True)
def _study(import_once):
    import_once(files())


@pytest.fixture
def study(tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"  # Embeddings of another test's study may be stored.
    matrices.forget()
    yield Study.objects.get(slug="small")
    matrices.forget()


@pytest.fixture
def owner(study):
    return signed_in("ada", study)


def choice(study, **changes):
    asked = SegmentsAsked(**{"by": "near", "count": 12, "seed": 7} | changes)
    return choose(asked_data(study, Question()), Question(), asked).segments


def test_an_owner_prepares_a_campaign_of_just_the_chosen_segments(study, owner):
    shown = open_page(owner, PAGE)
    assert "Of 30." in words(shown)
    reply = owner.post(PAGE, ASKED)
    campaign = Campaign.objects.get()
    assert reply.url == f"/studies/small/campaigns/{campaign.slug}/edit/"
    chosen = campaign.chosen_segments
    assert chosen == choice(study, strata=("direction",), allocation="equal")
    assert [(each.segments, each.chosen) for each in chosen.strata_counted] == [(20, 6), (10, 6)]
    keys = dict(Segment.objects.values_list("pk", "key"))
    assert {keys[pk] for pk in build_pool(campaign).segments.tolist()} == set(chosen.segments)

    page = open_page(owner, reply.url)
    assert chosen.words in words(page)
    # Which segments are rated is no field any more, and saving the form keeps the choice.
    names = {each.get("name") for each in page.iter() if each.get("name")}
    assert "systems" in names
    assert not names & {"segments", "directions", "strata"}
    start(campaign, User.objects.get(username="ada"))
    plain = Item.objects.filter(campaign=campaign, kind=Item.Kind.PLAIN)
    rated = plain.values_list("first__segment__key", flat=True)
    assert set(rated) == set(chosen.segments)

    assert chosen.words in words(open_page(owner, f"/studies/small/campaigns/{campaign.slug}/"))
    sheet = owner.get(f"/studies/small/campaigns/{campaign.slug}/datasheet/").content.decode()
    assert sheet.count(chosen.words) >= 2
    declared = declared_campaigns(study)[campaign.slug]
    assert declared["chosen_segments"]["inclusion"] == chosen.inclusion


def test_the_page_shows_what_would_be_chosen_and_prepares_nothing(study, owner):
    page = open_page(owner, PAGE)
    reply = owner.post(PAGE, ASKED | {"preview": "1"})
    assert "12 of 30 segments, chosen by near, with known probabilities" in reply.content.decode()
    assert not Campaign.objects.exists()
    options = [each.text for each in page.iter("option")]
    assert options[:2] == ["all together", "diversity of outputs"]
    too_many = owner.post(PAGE, ASKED | {"segments": "31"})
    assert too_many.status_code == 400
    assert "31 segments are wanted of 30" in too_many.content.decode()


def test_api_and_command_choose_the_same_segments(study, owner, capsys):
    expected = choice(study)
    body = {"by": "near", "segments": 12, "seed": 7}
    address = "/api/v1/studies/small/chosen-segments/"
    answer = owner.post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["inclusion"]) == (200, expected.inclusion)
    made = owner.post(
        address, body | {"follows": "preset:relative-masked-2019"}, content_type="application/json"
    )
    assert made.status_code == 201
    tasks = Campaign.objects.filter(slug__in=made.json()["campaigns"])
    assert [each.chosen_segments for each in tasks] == [expected] * 3
    call_command(
        *("choose_segments", "small", "12", "--by", "near", "--seed", "7", "--user", "ada"),
        *("--follows", "protocol:likert", "--slug", "by-command"),
    )
    assert json.loads(capsys.readouterr().out)["campaigns"] == ["by-command"]
    assert Campaign.objects.get(slug="by-command").chosen_segments == expected
    refused = owner.post(address, body | {"by": "none"}, content_type="application/json")
    assert refused.status_code == 400
    with pytest.raises(CommandError, match="there are: small"):
        call_command("choose_segments", "other", "3")


def test_reports_of_such_ratings_say_so_and_weight_them(study, owner, tmp_path):
    chosen = choice(study, strata=("direction",), allocation="equal")
    draw = random.Random(4)
    scores = {(key, who): draw.randrange(101) for key in chosen.segments for who in SYSTEMS}
    config = {"protocol": "direct_assessment", **chosen.to_config()}
    ratings = [
        [key, who, "ann", "fluency", str(score), "few"] for (key, who), score in scores.items()
    ]
    stored(tmp_path / "again", files({"few": config}, ratings))
    again = Study.objects.get(slug="again")
    assert again.campaigns.get().chosen_segments == chosen
    found = report(again, "saving", Question())
    assert found["chosen_segments"] == [chosen.words]
    assert found["are_weighted"]
    for row in found["content"]["weighted"]:
        values = [scores[key, row["system"]] for key in chosen.segments]
        expected = weighted_mean(
            *(values, list(chosen.inclusion.values())), strata=list(chosen.segments.values())
        )
        assert row["hajek"]["value"] == pytest.approx(expected.value)
        assert row["hajek"]["interval"]["low"] == pytest.approx(expected.interval.low)
        assert row["plain"] == pytest.approx(np.mean(values))
        assert row["horvitz_thompson"]["n"] == 12
    Membership.objects.create(study=again, user=User.objects.get(username="ada"), role="owner")
    page = open_page(owner, "/studies/again/saving/")
    assert "Weighted means of systems" in tables(page)
    assert "Means are means of chosen segments" in words(page)
    assert "Means are means of chosen segments" in words(
        open_page(owner, "/studies/again/ranking/")
    )


def test_a_choice_that_sees_ratings_is_judged_by_other_ones(study, tmp_path):
    draw = random.Random(6)
    ratings = [
        [f"s{n}", who, rater, "fluency", str(draw.randrange(101)), "all"]
        for n in range(SEGMENTS)
        for who in SYSTEMS
        for rater in ("ann", "ben")
    ]
    config = {"protocol": "direct_assessment"}
    stored(tmp_path / "rated", files({"all": config}, ratings))
    data = asked_data(Study.objects.get(slug="rated"), Question())
    for by, by_half in (("ratings", True), ("together", True), ("near", False)):
        found = choose(data, Question(), SegmentsAsked(by, 10)).told
        assert (found.rated, found.chosen.segments, found.by_half) == (SEGMENTS, 10, by_half)
    with pytest.raises(ChoiceError, match="no segment fits"):
        choose(data, Question(), SegmentsAsked("near", 10, unrated=True))
    owned = report(Study.objects.get(slug="rated"), "saving", Question())
    assert "chosen_segments" not in owned
    halves = [each for each in owned["content"]["chosen"] if each["judged_by"]]
    assert {each["by"] for each in halves} == {
        "at random", "spread of earlier ratings", "all together"
    }  # fmt: skip


@pytest.fixture
def large(monkeypatch, settings, tmp_path):
    """Take the study for a large one, with a folder of files of its own."""
    monkeypatch.setattr(candidates, "MOST_AT_ONCE", 10)
    settings.MEDIA_ROOT = tmp_path / "media"


DIVERSE = ASKED | {"by": "diversity"}
BY_TEXTS = {"by": "diversity", "strata": ("direction",), "allocation": "equal"}


def compares():
    return Job.objects.filter(kind=candidates.KIND)


def test_outputs_of_a_large_study_are_compared_by_a_job_whose_page_becomes_the_choice(
    study, owner, large, monkeypatch
):
    reply = owner.post(f"{PAGE}?metric=near", DIVERSE | {"preview": "1"})
    assert reply.status_code == 302
    assert "The outputs of this study are being compared" in words(
        open_page(owner, reply.url, status=202)
    )
    page = open_page(owner, reply.url, status=202)
    assert reply.url in [each.get("href") for each in page.iter("a")]
    [job] = compares()
    assert run_next().state == "done"
    job.refresh_from_db()
    assert job.result == {"segments": 30}
    matrices.forget()
    # It is found, not computed again.
    monkeypatch.setattr(candidates, "diversity_of_texts", None)
    page = open_page(owner, reply.url)
    assert "12 of 30 segments, chosen by diversity of outputs" in words(page)
    filled = dict(fields_of(owner.get(reply.url).content.decode(), "follows"))
    assert (filled["title"], filled["by"], filled["segments"]) == (
        ["Few texts"],
        ["diversity"],
        ["12"],
    )
    assert owner.post(reply.url, DIVERSE).status_code == 302
    assert Campaign.objects.get().chosen_segments == choice(study, **BY_TEXTS)
    assert compares().count() == 1
