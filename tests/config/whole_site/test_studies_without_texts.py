"""A study of keys without texts: all that needs no text works, and what needs texts says so."""

import pytest
from django.urls import reverse

from analysis.filter.question import Question
from analysis.reports.catalogue import KINDS, report_kind
from analysis.reports.service import report
from annotation.campaigns.service import CampaignError, prepare
from annotation.models import Campaign
from corpus.models import Study
from tests.fixtures.campaign_pages import member
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.study_files import OUTPUTS, RATINGS, SCORES, SEGMENTS, import_path, write_files

pytestmark = pytest.mark.django_db
SENTENCE = "needs texts, but this study holds only the keys of its outputs"
DECLARED = {
    "without_texts": True,
    "scales": {"content": [0, 100], "style": [0, 100]},
    "metrics": {"bleu": {"orientation": "higher"}, "wmd": {"orientation": "lower"}},
}


FILES = {"ratings.csv": RATINGS, "metric_scores.csv": SCORES, "study.json": DECLARED}


@pytest.fixture
def study(study_made_once):
    """Ratings and scores, and no texts."""
    return study_made_once


@pytest.fixture
def owner(study, client):
    """The owner of the study, signed in."""
    user = member("owner", study)
    client.force_login(user)
    return user


def few_draws(kind):
    """Return a question of few resamples, where the kind of report draws any."""
    return {"resamples": 100} if "resamples" in report_kind(kind).uses else {}


def test_every_report_is_computed(study, owner, client):
    for kind in at_least_one(sorted(set(KINDS) - {"replication"})):
        address = reverse(f"study-{kind}", args=["small"])
        assert client.get(address, few_draws(kind)).status_code == 200, kind


def test_reports_have_the_numbers_of_a_study_with_texts(study, tmp_path):
    def numbers(slug, kind):
        made = report(Study.objects.get(slug=slug), kind, Question(**few_draws(kind)))
        # Styles are no keys: without them there are no directions to divide by.
        return {name: part for name, part in made["content"].items() if name != "by_system"}

    rest = {name: DECLARED[name] for name in ("scales", "metrics")}
    files = {"ratings.csv": RATINGS, "metric_scores.csv": SCORES, "study.json": rest}
    files |= {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS}
    job = import_path(write_files(tmp_path / "texts", files), slug="texts")
    assert job.state == "done", job.error
    for kind in ("agreement", "correlation", "ranking", "system-comparison"):
        assert numbers("small", kind) == numbers("texts", kind)


def test_pages_of_the_study_show_what_there_is(study, owner, client):
    for name in ("study", "study-segments", "study-systems", "study-campaigns", "study-metrics"):
        page = client.get(reverse(name, args=["small"]))
        assert page.status_code == 200
        assert "without texts" in page.text, name


def test_pages_that_need_texts_say_so(study, owner, client):
    for name in ("campaign-new", "study-score", "study-baselines", "study-map", "study-write"):
        page = client.get(reverse(name, args=["small"]))
        assert (page.status_code, SENTENCE in page.text) == (409, True), name
        assert reverse("study-import", args=["small"]) in page.text


def test_no_campaign_is_made(study, owner):
    with pytest.raises(CampaignError, match=SENTENCE):
        prepare(study, "protocol:likert", "New", "new", owner)
    assert not Campaign.objects.filter(slug="new").exists()


def test_the_api_says_that_texts_are_not_known(study, owner, client):
    assert client.get(reverse("api-study", args=["small"])).json()["without_texts"]
    [first, *_] = client.get(reverse("api-outputs", args=["small"])).json()["results"]
    assert (first["text"], first["sha256"]) == (None, "")
    for segment in at_least_one(
        client.get(reverse("api-segments", args=["small"])).json()["results"]
    ):
        assert segment["source"] is None


def test_a_frozen_report_is_the_same_when_the_texts_have_come(study, owner, client, tmp_path):
    client.post(reverse("study-freeze", args=["small", "correlation"]), {"title": "before"})
    frozen = study.frozen_reports.get()
    texts = {
        "segments.csv": [["segment", "source"], *([f"s{n}", f"source {n}"] for n in range(1, 5))],
        "outputs.csv": [
            ["segment", "system", "output"],
            *([f"s{n}", name, f"{name} {n}"] for n in range(1, 5) for name in ("BART", "T5")),
        ],
    }
    job = import_path(write_files(tmp_path / "texts", texts))
    assert job.state == "done", job.error
    page = client.get(reverse("study-frozen-report", args=["small", frozen.pk]))
    assert page.status_code == 200
    assert client.get(reverse("study-score", args=["small"])).status_code == 200
