"""What is checked before a study is published: each verdict says why, where and what to do."""

import pytest
from django.contrib.auth.models import User

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.frozen.service import freeze
from analysis.models import Publication
from analysis.publishing.checks import BLOCKING, NOTE, PASSED, WARNING
from analysis.publishing.options import PublishingError
from analysis.publishing.personal_data import (
    EMAIL,
    NAME,
    PHONE,
    PLATFORM,
    PROFILE,
    PSEUDONYM,
    PersonalData,
    small_groups,
)
from analysis.publishing.service import check, options_from
from annotation.models import Annotator, Campaign, Contact
from annotation.people.withdrawing import anonymise
from corpus.models import Segment, Study
from tests.analysis.frozen.test_round_trip_of_reports import _rated
from tests.fixtures.campaigns import make_study
from tests.fixtures.publications import ASKED, declare_details, published
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, import_path, write_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(settings, tmp_path) -> Study:
    """A study with a closed campaign that three people were invited to and two rated in."""
    settings.MEDIA_ROOT = tmp_path / "media"
    matrices.forget()
    study = declare_details(make_study(segments=5, systems=3))
    _rated(study, "likert", "live", 3)
    Campaign.objects.update(state="closed")
    return study


def found(study, **options):
    return {each.name: each for each in check(study, options_from(ASKED | options))}


def verdict(study, name, **options):
    return found(study, **options)[name].verdict


# What is found in texts


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("write to ada.king@example.co.uk please", [EMAIL]),
        ("to the contact: ada@example.org", []),
        ("worker 5f3c1a2b9d8e7f6a5b4c3d2e was slow", [PLATFORM]),
        ("A1B2C3D4E5F6G7 said so", [PLATFORM]),
        ("AAAAAAAAAAAAAA", []),
        ("A1234567890123", []),
        ("call +49 30 1234567 today", [PHONE]),
        ("call (030) 123 456 78", [PHONE]),
        ("from 2019-2020 and on 2021-03-04", []),
        ("in 1984, 12,345,678 people", []),
        ("see https://github.com/adaking for more", [PROFILE]),
        ("see https://forum.example.org/users/adaking", [PROFILE]),
        ("see https://example.org/articles/style", []),
        ("Ada King was here", [NAME]),
        ("ADA  KING!", [NAME]),
        ("Adam Kingsley was not", []),
        ("as rater-007 said", [PSEUDONYM]),
        ("a plain sentence about nothing", []),
    ],
)
def test_what_is_personal_data(text, kinds):
    data = PersonalData(["Ada King", "xy"], ["rater-007", "12"], allowed=["Ada@example.org"])
    assert [each.kind for each in data.find("somewhere", text)] == kinds


def test_long_texts_cost_no_more_than_their_length():
    data = PersonalData(["Ada King"])
    for bomb in ("a" * 200_000, "1 " * 100_000, "A1" * 100_000, "http://" + "a/" * 100_000):
        assert len(list(data.find("", bomb))) <= 100_000


@pytest.mark.parametrize("smallest", [2, 5])
def test_groups_smaller_than_asked_for_are_named(smallest):
    raters = [{"age": "30", "sex": "f"}] * 4 + [{"age": "30", "sex": "m"}]
    groups = {group.words: group.raters for group in small_groups("c", raters, smallest)}
    assert groups.pop("campaign c, sex: m") == 1
    assert groups.pop("campaign c, all answers together (age: 30; sex: m)") == 1
    assert groups == ({"campaign c, sex: f": 4} if smallest == 5 else {})


# Checks of a study


def test_a_study_without_details_is_refused_with_all_reasons(study, tmp_path):
    declare_details(study)
    study.declarations["publication"] = {}
    study.save()
    with pytest.raises(PublishingError) as refused:
        published(study, tmp_path)
    for name in ("licence", "licence-of-texts", "authors", "consent"):
        assert f"{name} (must be corrected)" in str(refused.value)
    assert list(tmp_path.glob("publication*")) == []
    assert not Publication.objects.exists()


def test_personal_data_blocks_and_names_the_place(study):
    assert verdict(study, "personal-data") == PASSED
    annotator = Annotator.objects.first()
    Contact.objects.create(annotator=annotator, name="Grace Murray", email="grace@navy.example")
    segment = Segment.objects.filter(study=study).first()
    segment.attributes = {"author": "grace murray"}
    segment.save()
    Campaign.objects.update(guidelines="Ask grace@navy.example, or ada@example.org.")
    named = found(study)["personal-data"]
    assert named.verdict == BLOCKING
    assert set(named.where) == {
        f"segment {segment.key}, attribute author: grace murray",
        "guidelines of campaign live: grace@navy.example",
    }


def test_what_only_may_be_personal_is_confirmed_by_name(study, tmp_path):
    study.description = "Questions: 030 / 1234 5678."
    study.save()
    assert verdict(study, "possible-personal-data") == WARNING
    accept = ["small-groups", "reports", "consent"]
    with pytest.raises(PublishingError, match=r"possible-personal-data \(to be confirmed"):
        published(study, tmp_path, accept=accept)
    published(study, tmp_path, accept=[*accept, "possible-personal-data"])
    assert Publication.objects.get().record["accepted"] == sorted(
        [*accept, "possible-personal-data"]
    )


def test_personal_data_in_texts_is_listed_and_does_not_block(tmp_path):
    rows = [OUTPUTS[0], ["s1", "BART", "write to joe@example.org"], ["s2", "BART", "plain"]]
    import_path(write_files(tmp_path, {"segments.csv": SEGMENTS, "outputs.csv": rows}))
    study = declare_details(Study.objects.get(slug="small"))
    named = found(study)["personal-data-in-texts"]
    assert named.verdict == NOTE
    assert "e-mail address" in named.why
    assert named.where == ("BART of segment s1: joe@example.org",)


def test_reports_with_raters_who_were_made_anonymous_are_refused(study):
    freeze(study, "ranking", Question(), None)
    assert verdict(study, "forgotten-annotators") == PASSED
    rated = Annotator.objects.filter(submissions__isnull=False).first()
    anonymise(rated, User.objects.create_user("owner"), comments=True)
    named = found(study)["forgotten-annotators"]
    assert named.verdict == BLOCKING
    assert named.where[0].endswith(": 1 raters")
    assert verdict(study, "forgotten-annotators", reports=[]) == PASSED
