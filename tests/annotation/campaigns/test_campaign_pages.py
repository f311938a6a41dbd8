"""Preparing a campaign: a form made from its protocol, errors beside fields, preview, start."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotator, Assignment, Campaign
from annotation.protocols.catalogue import LIVE, PRESETS
from corpus.models import AuditEntry
from tests.fixtures.by_night import by_night
from tests.fixtures.campaign_pages import filled, prepared
from tests.fixtures.campaigns import make_campaign

pytestmark = pytest.mark.django_db
HOME = "/studies/small/campaigns/"


def actions() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


@pytest.mark.parametrize("key", by_night(LIVE, "ranking", "content_preservation"))
def test_every_protocol_has_a_form_that_can_be_saved_as_it_is(owner, study, key):
    address = prepared(owner, study, f"protocol:{key}")
    answer = owner.post(address, filled(owner, address))
    assert answer.status_code == 302, answer.context["form"].errors
    campaign = Campaign.objects.get()
    assert campaign.protocol == key
    assert campaign.state == Campaign.State.DRAFT
    page = owner.get(answer["Location"])
    assert page.status_code == 200
    assert campaign.rules.questions(campaign.config)[0].text in page.content.decode()


@pytest.mark.parametrize("key", by_night(PRESETS, "style-transfer-complete"))
def test_a_preset_makes_all_its_campaigns_with_their_settings(owner, study, key):
    prepared(owner, study, f"preset:{key}")
    made = {each.protocol: each for each in Campaign.objects.all()}
    assert list(made) == [protocol for protocol, _ in PRESETS[key].campaigns]
    for protocol, config in PRESETS[key].campaigns:
        assert config.items() <= made[protocol].config.items()
    assert len({each.seed for each in made.values()}) == len(made)


def test_every_decision_is_stored(owner, study):
    address = prepared(owner, study)
    outputs = study.systems.get(name="system-1")
    data = filled(
        owner, address,
        title="Second pilot", slug="second", setting__aspects="style\r\nfluency",
        setting__step="0.5", setting__highlight="on", question__0="Quite formal?",
        labels__0="0: no\r\n100: yes", systems=[str(outputs.pk)], segments="4",
        references="on", design="fixed_batches", ratings_per_item="2", annotators="2", repeats="1",
        degraded="2", guidelines="Read *calmly*.", consent="Freely.", content_warning="Rude words.",
        questions="First language\r\nAge band", lease_minutes="5", by_code="on",
    )  # fmt: skip
    answer = owner.post(address, data)
    assert answer.status_code == 302, answer.context["form"].errors
    assert answer["Location"] == f"{HOME}second/preview/"
    campaign = Campaign.objects.get()
    style, fluency = campaign.rules.questions(campaign.config)
    assert (style.text, style.step, style.labels) == (
        "Quite formal?", 0.5, ((0.0, "no"), (100.0, "yes"))
    )  # fmt: skip
    assert fluency.aspect == "fluency"
    assert campaign.config["highlight"] is True
    assert campaign.selection["system_ids"] == [outputs.pk]
    assert campaign.selection["controls"] == {"repeats": 1, "degraded": 2, "references": 0}
    assert campaign.selection["segments"] == 4
    assert campaign.selection["references"] is True
    assert (campaign.design, campaign.ratings_per_item) == ("fixed_batches", 2)
    assert campaign.questions == ["First language", "Age band"]
    assert campaign.lease_seconds == 300
    assert len(campaign.invite_code) >= 20
    assert actions() == ["prepare campaign", "change campaign"]
    code = campaign.invite_code
    owner.post(f"{HOME}second/edit/", filled(owner, f"{HOME}second/edit/"))
    campaign.refresh_from_db()
    assert campaign.invite_code == code


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("title", "", "This field is required"),
        ("slug", "new", "is taken"),
        ("setting__step", "0.3", "does not divide the scale"),
        ("setting__aspects", "style\r\nstyle", "occurs twice"),
        ("labels__1", "12", "expected a point, a colon and words"),
        ("systems", None, "Choose at least one"),
        ("annotators", "2", "need at least 3 annotators"),
        ("repeats", "40", "at most"),
        ("questions", "First language", "asked with the consent"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_nothing_is_saved(
    owner, study, field, value, words
):
    address = prepared(owner, study)
    before = Campaign.objects.values().get()
    answer = owner.post(address, filled(owner, address, **{field: value}))
    assert answer.status_code == 400
    named = {"questions": "consent"}.get(field, field.replace("__", "-"))
    assert words in str(answer.context["form"].errors[named])
    assert words in answer.content.decode()
    assert Campaign.objects.values().get() == before


def test_references_that_cannot_be_controls_are_refused_in_words(owner, study):
    address = prepared(owner, study)
    answer = owner.post(address, filled(owner, address, control_references="1", references="on"))
    assert "to be rated, not both" in str(answer.context["form"].errors["control_references"])
    answer = owner.post(address, filled(owner, address, control_references="7"))
    assert "7 references as controls, and 6 of the segments" in str(
        answer.context["form"].errors["control_references"]
    )


def test_the_power_of_the_binomial_test_stands_beside_controls_of_comparisons(owner, study):
    address = prepared(owner, study, "protocol:output_against_output")
    owner.post(address, filled(owner, address, degraded="4", control_references="5"))
    page = owner.get(f"{HOME}pilot/preview/")
    rows = [(size, round(a, 2), round(b, 2)) for size, _, a, b in page.context["prospect"].power]
    # Four of four are not enough; five of five are won with the rate to the power of five.
    assert rows == [(0.75, 0, 0.24), (0.9, 0, 0.59), (0.99, 0, 0.95)]
    assert b"exact binomial test" in page.content


def test_the_preview_shows_load_raters_and_which_agreement_will_be_possible(owner, study):
    address = prepared(owner, study)
    owner.post(address, filled(owner, address, annotators="6", degraded="2"))
    page = owner.get(f"{HOME}pilot/preview/").content.decode()
    text = " ".join(page.split())
    assert "18, rated 54 times in all" in text
    assert "6 annotators with 11 item pages each" in text
    assert "0 repeats, 2 degraded, 0 references for each annotator" in text
    assert "not possible</span> ICC(2) and ICC(3) over all items" in text
    assert "possible</span> Krippendorff" in text


@pytest.mark.parametrize("key", by_night(LIVE, "best_worst"))
def test_screens_can_be_tried_one_by_one_and_nothing_is_stored(owner, study, key):
    address = prepared(owner, study, f"protocol:{key}")
    owner.post(address, filled(owner, address))
    first = owner.get(f"{HOME}pilot/try/")
    assert b"Preview, item page 1" in first.content
    assert b"system-" not in first.content
    answer = owner.post(f"{HOME}pilot/try/?screen=0", {"action": "submit"})
    assert answer["Location"] == f"{HOME}pilot/try/?screen=1"
    assert b"Preview, item page 2" in owner.get(answer["Location"]).content
    assert b"There is no such item page" in owner.get(f"{HOME}pilot/try/?screen=9999").content
    assert not Annotator.objects.exists()
    assert not Assignment.objects.exists()


def test_starting_asks_for_a_confirmation_then_fixes_everything(owner, study):
    address = prepared(owner, study)
    owner.post(address, filled(owner, address))
    start = f"{HOME}pilot/start/"
    answer = owner.post(start, follow=True)
    assert b"Not started" in answer.content
    assert Campaign.objects.get().state == Campaign.State.DRAFT
    answer = owner.post(start, {"confirmed": "yes"})
    assert answer["Location"] == f"{HOME}pilot/annotators/"
    campaign = Campaign.objects.get()
    assert campaign.state == Campaign.State.OPEN
    assert campaign.annotators.count() == 3
    entry = AuditEntry.objects.get(action="start campaign")
    assert entry.after == {"annotators": 3, "items": 18}
    assert entry.actor.username == "ada"
    again = owner.post(start, {"confirmed": "yes"}, follow=True)
    assert b"this campaign was already started" in again.content
    assert owner.get(address)["Location"] == f"{HOME}pilot/preview/"
    assert campaign.items.count() == 18


def test_states_follow_each_other_and_are_recorded(owner, study):
    campaign, _ = make_campaign(study)
    address = f"{HOME}{campaign.slug}/state/"
    for change, state in [
        ("pause", "paused"), ("resume", "open"), ("close", "closed"), ("reopen", "open"),
    ]:  # fmt: skip
        owner.post(address, {"change": change})
        campaign.refresh_from_db()
        assert campaign.state == state
    answer = owner.post(address, {"change": "resume"}, follow=True)
    assert b"Nothing was changed" in answer.content
    assert owner.post(address, {"change": "explode"}).status_code == 404
    words = ["pause campaign", "resume campaign", "close campaign", "open again campaign"]
    assert actions() == words


def test_the_list_shows_progress_and_costs_the_same_for_many_campaigns(owner, study):
    make_campaign(study)
    page = owner.get(HOME).content.decode()
    assert "0 of 36" in page
    Campaign.objects.create(study=study, slug="old", protocol="unstated", origin="imported")
    with CaptureQueriesContext(connection) as few:
        owner.get(HOME)
    for number in range(3):
        make_campaign(study, slug=f"more-{number}")
    with CaptureQueriesContext(connection) as many:
        page = owner.get(HOME).content.decode()
    assert page.count("0 of 36") == 4
    assert page.count("imported</span>") == 1
    assert len(few) == len(many)
