"""Every protocol brings guidelines with criteria and examples, and practice items with feedback."""

import html
import json
import re

import pytest
from django.test import Client

from annotation.models import Campaign
from annotation.people.invitations import new_links
from annotation.protocols.catalogue import LIVE
from annotation.protocols.guidelines.asked import FAMILIES, Direction
from annotation.protocols.guidelines.documents import brought
from annotation.protocols.questions import Choice
from annotation.queue.handing_out import next_assignments
from corpus.models import Study
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.by_night import by_night
from tests.fixtures.campaign_pages import filled, prepared, signed_in
from tests.fixtures.campaigns import make_study, send
from tests.fixtures.html_forms import fields_of

WAYS = [Direction(source, target) for family in FAMILIES for source, target in family.examples] + [
    Direction("", ""),
    Direction("modern", "Shakespearean"),
]
FORM = "/studies/small/campaigns/pilot/edit/"


def campaign():
    return Campaign.objects.get(slug="pilot")


def styled(study, source, target):
    study.segments.update(source_style=source, target_style=target)
    return study


def words_of(page):
    """The text of a page as it reads."""
    return html.unescape(re.sub(r"<[^>]+>", "", page))


@pytest.fixture
def owner(db):
    study = make_study()
    store_lexicon(study, "styles", [LexiconEntry("words", "informal", 1.0)])
    return signed_in("ada", study)


@pytest.fixture
def study(owner):
    return Study.objects.get()


# What protocols bring


@pytest.mark.parametrize("key", LIVE)
def test_every_protocol_explains_itself_in_the_styles_of_the_study(key):
    for way in WAYS:
        check_guidelines(brought(LIVE[key], {}, [way]))


def check_guidelines(found):
    headings = [line for line in found.guidelines.splitlines() if line.startswith("## ")]
    assert headings[0] == "## What you are asked"
    assert headings[-1] == "## If you are unsure"
    assert len(found.practice) == 3
    assert all(entry["feedback"] and entry["texts"] for entry in found.practice)
    everything = json.dumps([found.guidelines, found.practice, found.labels])
    assert not re.search(r"[{}](?=\w)|\{style|\{target", found.guidelines)
    assert "None" not in everything


@pytest.mark.parametrize(
    ("key", "answers"),
    [
        ("style_transfer_intensity", ("5", "3", "1")),
        ("content_preservation", ("5", "3", "1")),
        ("absolute_naturalness", ("5", "3", "1")),
        ("likert", ("5", "3", "1")),
        ("direct_assessment", ("100", "50", "0")),
    ],
)
def test_the_points_of_a_scale_have_criteria_and_examples(key, answers):
    rules = LIVE[key]
    text = brought(rules, {}, [Direction("informal", "formal")]).guidelines
    for answer in answers:
        parts = re.findall(rf"\*\*{answer}: [^*]+\.\*\* [^>]+\n\n> \*Output:\* .+", text)
        assert len(parts) == len(rules.questions({})), answer


@pytest.mark.parametrize("key", ["relative_naturalness", "output_against_output", "ranking"])
def test_guidelines_of_comparisons_say_what_to_do_about_ties(key):
    allowed = brought(LIVE[key], {"tie": True}).guidelines
    refused = brought(LIVE[key], {"tie": False}).guidelines
    assert "only if" in allowed
    assert "only if" not in refused
    assert "you would rather" in refused


def test_masked_content_says_what_the_placeholder_stands_for():
    rules, way = LIVE["content_preservation"], [Direction("negative", "positive")]
    masked = brought(rules, {"masked": True}, way, "___")
    assert "## What ___ stands for" in masked.guidelines
    assert "> *Source:* The waiter was ___ and our soup arrived ___." in masked.guidelines
    assert masked.practice[0]["texts"]["source"] == "My room was ___ and the bed was ___."
    plain = brought(rules, {"masked": False}, way)
    assert "stands for" not in plain.guidelines
    assert "The waiter was rude" in plain.guidelines
    assert "dirty" in plain.practice[0]["texts"]["source"]


def test_an_aspect_that_the_owner_adds_is_explained_too():
    found = brought(LIVE["direct_assessment"], {"aspects": ["content", "humour"]})
    assert "## Humour: How good is the humour?" in found.guidelines
    assert [set(entry["expected"]) for entry in found.practice] == [{"content"}] * 3
    assert found.labels["humour"]["50"] == "in part"


# In a campaign


@pytest.mark.parametrize("key", by_night(LIVE, "content_preservation", "best_worst"))
def test_a_new_campaign_explains_itself_and_practises(owner, study, key):
    prepared(owner, study, f"protocol:{key}", practice=True)
    if key == "content_preservation":
        made = campaign()
        made.selection["mask"] = {"lexicon": "styles"}
        made.save()
    assert owner.post(FORM, filled(owner, FORM)).status_code == 302
    answer = owner.post("/studies/small/campaigns/pilot/start/", {"confirmed": "yes"}, follow=True)
    assert "The campaign is open" in answer.text, answer.text[:2000]
    made = campaign()
    annotator = made.annotators.first()
    browser = Client()
    browser.get(f"/join/{new_links([annotator])[annotator.pk]}/")
    page = words_of(browser.get(f"/rate/{annotator.public_id}/guidelines/").text)
    assert "What you are asked" in page
    assert ("[STYLE] stands for" in page) is (key == "content_preservation")
    for entry in made.selection["practice"]:
        screen = next_assignments(annotator)
        lead = screen[0]
        assert lead.item.kind == "practice"
        expected = entry["expected"] if len(screen) > 1 else [entry["expected"]]
        send(annotator, lead, *_answers(made, screen, expected))
        told = browser.get(f"/rate/{annotator.public_id}/item/{lead.public_id}/feedback/")
        assert told.context["feedback"].fits
        assert entry["feedback"] in html.unescape(told.text)
    assert next_assignments(annotator)[0].item.kind == "plain"


def _answers(made, screen, expected):
    """What is expected, as an annotator would send it; anything where nothing is."""
    questions = made.rules.questions(made.config)
    stored = [
        {each.aspect: _stored(each, wanted.get(each.aspect)) for each in questions}
        for wanted in expected
    ]
    return made.rules.layout.sent(questions, stored, [place.swapped for place in screen])


def _stored(question, answer):
    if isinstance(question, Choice):
        return answer or "first"
    return answer[0] if answer else question.high


def test_the_owner_changes_guidelines_labels_and_practice(owner, study):
    prepared(owner, study, "protocol:likert", practice=True)
    own = {"guidelines": "# Mine", "labels-1": "1: bad\n5: good"}
    assert owner.post(FORM, filled(owner, FORM, **own)).status_code == 302
    practice = "/studies/small/campaigns/pilot/practice/"
    shown = dict(fields_of(owner.get(practice).text, "share"))
    assert shown["item-0-own-source"] == ["lol that exam was way too hard, u agree?"]
    owner.post(practice, shown | {"item-0-own-source": "Mine?", "item-1-remove": "on"})
    made = campaign()
    assert made.guidelines == "# Mine"
    assert made.config["labels"]["content"] == {"1": "bad", "5": "good"}
    assert [entry["texts"]["source"][:5] for entry in made.selection["practice"]] == [
        "Mine?",
        "thx f",
    ]


def test_an_untouched_practice_page_stores_what_was_there(owner, study):
    for key in LIVE:
        study.campaigns.all().delete()
        prepared(owner, study, f"protocol:{key}", practice=True)
        before = campaign().selection["practice"]
        page = "/studies/small/campaigns/pilot/practice/"
        answer = owner.post(page, dict(fields_of(owner.get(page).text, "share")))
        assert answer.status_code == 302, answer.context["form"].errors
        assert campaign().selection["practice"] == before, key


def test_what_was_not_changed_follows_the_settings(owner, study):
    prepared(owner, study, "protocol:content_preservation", practice=True)
    assert "[STYLE]" in campaign().guidelines
    owner.post(FORM, filled(owner, FORM, **{"setting-masked": None}))
    plain = campaign()
    assert "[STYLE]" not in plain.guidelines
    assert "[STYLE]" not in json.dumps(plain.selection["practice"])
    owner.post(FORM, filled(owner, FORM, **{"setting-masked": "on", "guidelines": "Mine"}))
    assert campaign().guidelines == "Mine"
    assert "[STYLE]" in json.dumps(campaign().selection["practice"])


def test_the_styles_are_those_of_the_chosen_direction(owner, study):
    styled(study, "negative", "positive")
    study.segments.filter(key__in=["s0", "s1"]).update(
        source_style="positive", target_style="negative"
    )
    prepared(owner, study, "protocol:direct_assessment", practice=True)
    assert "is named with each item" in campaign().guidelines
    owner.post(FORM, filled(owner, FORM, directions=["positive-to-negative"]))
    made = campaign()
    assert "is *negative*" in made.guidelines
    assert made.selection["practice"][0]["texts"]["target_style"] == "negative"


def test_studies_in_a_language_of_ours_get_guidelines_and_practice_in_it(owner, study):
    study.language = "de"
    study.save()
    prepared(owner, study, "protocol:likert", practice=True)
    assert "Worum es geht" in campaign().guidelines
    source = campaign().selection["practice"][0]["texts"]["source"]
    assert "prüfung" in source


def test_studies_in_other_languages_get_no_english_sentences_to_practise(owner, study):
    study.language = "tlh"
    study.save()
    prepared(owner, study, "protocol:likert", practice=True)
    assert campaign().selection["practice"] == []
    assert "What you are asked" in campaign().guidelines
