"""From what rating a segment is worth to a campaign that rates it, and to weighted means."""

import json
import random
from itertools import combinations

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.choosing.candidates import ChoiceError
from analysis.choosing.service import SegmentsAsked, choose
from analysis.data import matrices
from analysis.data.narrowing import asked_data
from analysis.filter.question import Question
from analysis.reports.service import report
from analysis.stats.saving.segment_choice import by_variance
from analysis.stats.saving.weighted_means import weighted_mean
from annotation.imports.declared import declared_campaigns
from annotation.launch.starting import start
from annotation.models import Campaign, Item
from annotation.selection.pool import build_pool
from corpus.models import Membership, Segment, Study
from metrics.encoders.sentence import sentence_encoder
from metrics.resources.stored_embeddings import stored_embeddings
from tests.fixtures.report_pages import open_page, tables, words
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
SEGMENTS, SYSTEMS = 30, ("one", "two", "three")
PAIRS = list(combinations(SYSTEMS, 2))
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


@pytest.fixture
def study(tmp_path):
    matrices.forget()
    stored(tmp_path / "small", files())
    yield Study.objects.get(slug="small")
    matrices.forget()


@pytest.fixture
def owner(study):
    ada = User.objects.create_user("ada")
    Membership.objects.create(study=study, user=ada, role="owner")
    client = Client()
    client.force_login(ada)
    return client


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


def test_the_best_segments_have_no_probabilities(study):
    found = choice(study, way="top", count=5)
    draw = random.Random(3)
    scores = np.array([[draw.random() for _ in SYSTEMS] for _ in range(SEGMENTS)])
    assert list(found.segments) == [f"s{n}" for n in sorted(by_variance(scores)[:5].tolist())]
    assert not found.is_weighted
    assert "of chosen segments only" in found.words


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"by": "ratings"}, "segments may be chosen by together, diversity, near"),
        ({"strata": ("topic",)}, "segments may be divided by direction"),
        ({"count": 1, "strata": ("direction",)}, "1 segments cannot be of 2 strata"),
    ],
)
def test_a_choice_that_cannot_be_made_says_why(study, changes, reason):
    with pytest.raises(ChoiceError, match=reason):
        choice(study, **changes)


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


def test_stored_embeddings_choose_among_the_segments_that_have_them(study, monkeypatch):
    # Of this process's one encoder, which may know the hash of its model already.
    monkeypatch.setitem(vars(sentence_encoder()), "_made_by", "tests")
    texts = [f"{who} {n}" for who in SYSTEMS for n in range(3)]
    draw = np.random.default_rng(2)
    # Most angles are acute: past a right angle all segments are worth the same.
    vectors = {text: draw.normal(1, size=8).astype(np.float32) for text in texts}
    stored_embeddings(study.pk).keep("tests", vectors)
    found = choice(study, by="embeddings", way="top", count=5)
    apart = [
        1 - np.mean([cosine(vectors[f"{one} {n}"], vectors[f"{two} {n}"]) for one, two in PAIRS])
        for n in range(3)
    ]
    # Of texts "… 3" nothing is stored; segments of the same texts are worth the same.
    best = int(np.argmax(apart))
    assert list(found.segments) == [f"s{n}" for n in range(best, 20, 4)]


def cosine(one, other):
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))
