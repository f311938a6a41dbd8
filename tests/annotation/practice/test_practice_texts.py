"""Practice with texts that an owner wrote: shown and explained like outputs, never rated."""

import pytest
from django.db import IntegrityError, transaction

from annotation.imports.export import export_ratings
from annotation.models import Campaign, Item
from annotation.queue.handing_out import next_assignments
from corpus.models import MaskedText
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.campaign_pages import prepared, signed_in
from tests.fixtures.campaigns import make_campaign, make_study, read_again, send
from tests.fixtures.html_forms import fields_of
from tests.fixtures.rating_pages import entered

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/campaigns/pilot/practice/"
WRITTEN = {
    "item-0-own-source": "gonna be late",
    "item-0-own-output": "I shall be late.",
    "item-0-own-target_style": "formal",
    "item-0-answer-0": "90",
    "item-0-tolerance-0": "10",
    "item-0-feedback": "Formal throughout.",
}
KEPT = {
    "texts": {"source": "gonna be late", "output": "I shall be late.", "target_style": "formal"},
    "expected": {"style": {"answer": 90, "tolerance": 10}},
    "feedback": "Formal throughout.",
}


def practising(protocol, *practice, **values):
    """A campaign that begins with practice, and its first annotator."""
    selection = {"practice": list(practice), **values.pop("selection", {})}
    study = values.pop("study", None) or make_study()
    campaign, people = make_campaign(study, protocol, selection=selection, **values)
    return campaign, read_again(people[0])


@pytest.fixture
def owner():
    study = make_study()
    client = signed_in("ada", study)
    prepared(client, study)
    return client


def write(owner, **changes):
    """Fill the fields that the page shows, as a browser would, and send them."""
    given = {**fields_of(owner.get(ADDRESS).text, "share"), **changes}
    return owner.post(ADDRESS, given, follow=True)


def kept():
    return Campaign.objects.get(slug="pilot").selection["practice"]


# Owners write


def test_texts_are_written_stored_and_shown_again(owner):
    assert "Saved: 1 practice item." in write(owner, **WRITTEN).text
    assert kept() == [KEPT]
    shown = fields_of(owner.get(ADDRESS).text, "share")
    assert shown["item-0-own-source"] == ["gonna be late"]
    assert "item-0-segment" not in shown
    assert {"item-1-segment", "item-1-own-source"} <= shown.keys()
    write(owner)
    assert kept() == [KEPT]


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"item-0-own-output": ""}, "item-0-own-output", "Write this text"),
        ({"item-0-own-output": " "}, "item-0-own-output", "Write this text"),
        ({"item-0-own-source": "x" * 2001}, "item-0-own-source", "at most 2000"),
        ({"item-0-segment": "s0"}, "item-0-own-source", "not both"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(owner, changes, field, message):
    answer = write(owner, **WRITTEN | changes)
    assert answer.status_code == 400
    assert message in str(answer.context["form"].errors[field])


# Annotators practise


def test_written_texts_are_shown_and_explained_and_never_count():
    campaign, annotator = practising("direct_assessment", KEPT)
    browser = entered(annotator)
    page = browser.get(f"/rate/{annotator.public_id}/").text
    assert all(text in page for text in ("gonna be late", "I shall be late.", "Target style"))
    [lead] = next_assignments(annotator)
    send(annotator, lead, {"style": "70", "content": "100", "fluency": "100"})
    told = browser.get(f"/rate/{annotator.public_id}/item/{lead.public_id}/feedback/").text
    assert all(text in told for text in ("gonna be late", "80 to 100", "Formal throughout."))
    assert "I shall be late." in browser.get(f"/rate/{annotator.public_id}/done/").text
    assert list(export_ratings(campaign.study)) == []


def test_masked_campaigns_show_written_texts_as_they_are_and_keep_none_of_them():
    study = make_study()
    store_lexicon(study, "styles", [LexiconEntry("words", "informal", 1.0)])
    campaign, annotator = practising(
        "content_preservation",
        {"texts": {"source": "[STYLE] words", "output": "some words"}, "expected": {}},
        study=study,
        selection={"mask": {"lexicon": "styles"}},
    )
    page = entered(annotator).get(f"/rate/{annotator.public_id}/").text
    assert "[STYLE] words" in page
    assert "some words" in page
    shown = MaskedText.objects.filter(recipe=f"shown in {campaign.slug}")
    assert shown.count() == 4 * 6
    assert not shown.filter(text="some words").exists()


def test_only_practice_may_be_without_an_output():
    campaign, _ = practising("absolute_naturalness", {"texts": {"output": "one"}})
    assert campaign.items.filter(kind="practice", first=None).count() == 1
    for wrong in ({"kind": "plain", "shown": {"first": "one"}}, {"kind": "practice"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Item.objects.create(campaign=campaign, first=None, **wrong)


# What is not shown


@pytest.mark.parametrize(
    ("protocol", "config", "is_shown"),
    [
        ("content_preservation", {"masked": False}, False),
        ("direct_assessment", {"aspects": ["content", "fluency"]}, False),
        ("direct_assessment", {"aspects": ["content", "style"]}, True),
        ("likert", {"aspects": ["naturalness"]}, False),
        ("likert", {}, True),
        ("style_transfer_intensity", {}, True),
        ("output_against_output", {}, True),
        ("output_against_output", {"aspects": ["content"]}, False),
        ("ranking", {}, True),
    ],
)
def test_a_question_about_content_or_naturalness_alone_shows_no_target_style(
    protocol, config, is_shown
):
    _, annotator = practising(protocol, config=config)
    page = entered(annotator).get(f"/rate/{annotator.public_id}/").text
    assert ("Target style" in page) is is_shown
