"""Two owners edit one thing at once: who saves second sees what changed, and nothing is lost."""

import pytest

from annotation.campaigns.edits import facts
from annotation.campaigns.service import ChangedMeanwhile, keep_draft
from annotation.models import Campaign, CampaignSet
from corpus.models import AuditEntry
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.campaign_pages import filled, prepared, signed_in
from tests.fixtures.campaigns import make_study
from tests.fixtures.html_forms import fields_of

pytestmark = pytest.mark.django_db
SHARED = "/studies/small/campaign-sets/pilot/edit/"


@pytest.fixture
def study():
    study = make_study(4, 2)
    store_lexicon(study, "words", [LexiconEntry("some words", "informal", -2.0)])
    return study


@pytest.fixture
def ada(study):
    return signed_in("ada", study)


@pytest.fixture
def bob(study):
    return signed_in("bob", study)


@pytest.fixture
def address(ada, study):
    return prepared(ada, study)


def test_what_the_first_owner_wrote_is_not_overwritten_by_a_form_opened_before(ada, bob, address):
    of_ada, of_bob = filled(ada, address), filled(bob, address)
    saved = ada.post(address, of_ada | {"guidelines": "Read twice.", "annotators": "5"})
    assert saved.status_code == 302
    answer = bob.post(address, of_bob | {"title": "Bob’s pilot"})
    assert answer.status_code == 409
    campaign = Campaign.objects.get()
    assert (campaign.guidelines, campaign.title) == ("Read twice.", "Pilot")
    page = answer.content.decode()
    assert "Nothing was saved" in page
    assert "ada changed this" in page
    form = fields_of(page, "ratings_per_item")
    assert form["title"] == ["Bob’s pilot"]
    assert form["guidelines"] == ["Read twice."]
    assert form["annotators"] == ["5"]
    assert bob.post(address, form).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.guidelines, campaign.title) == ("Read twice.", "Bob’s pilot")
    assert campaign.selection["annotators"] == 5


def both_change_guidelines(ada, bob, address):
    of_ada, of_bob = filled(ada, address), filled(bob, address)
    ada.post(address, of_ada | {"guidelines": "Ada’s <b>words</b>."})
    answer = bob.post(address, of_bob | {"guidelines": "Bob’s words."})
    assert answer.status_code == 409
    return answer.content.decode()


def test_where_both_changed_a_field_both_versions_are_shown_and_mine_is_kept(ada, bob, address):
    page = both_change_guidelines(ada, bob, address)
    form = fields_of(page, "ratings_per_item")
    assert form["guidelines"] == ["Bob’s words."]
    assert "Ada’s &lt;b&gt;words&lt;/b&gt;." in page
    assert bob.post(address, form).status_code == 302
    assert Campaign.objects.get().guidelines == "Bob’s words."


def test_the_audit_trail_holds_before_and_after_of_what_changed(ada, address):
    ada.post(address, filled(ada, address))
    ada.post(address, filled(ada, address) | {"guidelines": "Read twice.", "by_code": "on"})
    entry = AuditEntry.objects.filter(action="change campaign").latest("pk")
    assert set(entry.before) == set(entry.after) == {"guidelines", "by_code"}
    assert entry.after == {"guidelines": "Read twice.", "by_code": True}
    count = AuditEntry.objects.count()
    ada.post(address, filled(ada, address))
    assert AuditEntry.objects.count() == count


@pytest.mark.dialect
def test_a_change_between_reading_and_writing_stores_nothing(ada, address):
    mine, theirs = Campaign.objects.get(), Campaign.objects.get()
    loaded = facts(mine)
    actor = AuditEntry.objects.latest("pk").actor
    theirs.title = "Theirs"
    keep_draft(theirs, actor)
    mine.title = "Mine"
    with pytest.raises(ChangedMeanwhile):
        keep_draft(mine, actor, loaded)
    assert Campaign.objects.get().title == "Theirs"


def test_what_a_set_shares_is_not_lost_either(ada, bob, study):
    prepared(ada, study, "preset:style-transfer-complete")
    of_ada, of_bob = filled(ada, SHARED), filled(bob, SHARED)
    assert ada.post(SHARED, of_ada | {"consent": "Freely."}).status_code == 302
    answer = bob.post(SHARED, of_bob | {"title": "Bob’s set"})
    assert answer.status_code == 409
    assert CampaignSet.objects.get().title == "Pilot"
    assert {each.consent for each in Campaign.objects.all()} == {"Freely."}
    assert "ada changed this" in answer.content.decode()
    form = fields_of(answer.content.decode(), "ratings_per_item")
    assert bob.post(SHARED, form).status_code == 302
    assert CampaignSet.objects.get().title == "Bob’s set"
    assert {each.consent for each in Campaign.objects.all()} == {"Freely."}
    entry = AuditEntry.objects.get(action="change set of campaigns")
    assert (entry.before, entry.after) == ({"title": "Pilot"}, {"title": "Bob’s set"})


def test_corrections_of_masked_texts_that_two_owners_make_meet_too(ada, bob, study):
    page = prepared(ada, study, "protocol:content_preservation").replace("edit", "masks")
    of_ada, of_bob = (masks_on(who, page) for who in (ada, bob))
    first, second, third = [name for name in of_ada if name.startswith("text-")][:3]
    assert ada.post(page, of_ada | {first: "Ada one", second: "Ada two"}).status_code == 302
    answer = bob.post(page, of_bob | {second: "Bob two", third: "Bob three"})
    assert answer.status_code == 409
    assert "ada corrected this" in answer.text
    campaign = Campaign.objects.get()
    assert sorted(campaign.selection["corrections"].values()) == ["Ada one", "Ada two"]
    form = fields_of(answer.text, first) | {"action": "save"}
    assert [form[name][0].strip() for name in (first, second, third)] == [
        "Ada one",
        "Bob two",
        "Bob three",
    ]
    assert bob.post(page, form).status_code == 302
    campaign.refresh_from_db()
    assert sorted(campaign.selection["corrections"].values()) == ["Ada one", "Bob three", "Bob two"]


def masks_on(client, page):
    """The form of masked texts, as a browser would send it."""
    text = client.get(page).text
    name = text.partition('name="text-')[2].partition('"')[0]
    return fields_of(text, f"text-{name}") | {"action": "save"}
