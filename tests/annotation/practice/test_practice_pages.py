"""Owners write practice items down, are told what is wrong, and overrule the decision."""

import html

import pytest

from annotation.models import Annotator, Campaign
from corpus.models import AuditEntry
from tests.fixtures.campaign_pages import filled, prepared, signed_in
from tests.fixtures.campaigns import make_campaign
from tests.fixtures.html_forms import fields_of

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/campaigns/pilot/practice/"
FIRST = {
    "item-0-segment": "s0",
    "item-0-system": "system-0",
    "item-0-answer-0": "75",
    "item-0-tolerance-0": "15",
    "item-0-feedback": "Für “alle”.",
}
KEPT = {
    "output": ["s0", "system-0"],
    "expected": {"style": {"answer": 75, "tolerance": 15}},
    "feedback": "Für “alle”.",
}


@pytest.fixture
def owner(study):
    client = signed_in("ada", study)
    prepared(client, study)
    return client


def write(owner, address=ADDRESS, **changes):
    """Fill the fields that the page shows, as a browser would, and send them."""
    shown = dict(fields_of(owner.get(address).text, "share"))
    given = shown | {name.replace("__", "-"): value for name, value in changes.items()}
    given = {name: value for name, value in given.items() if value is not None}
    return owner.post(address, given, follow=True)


def kept(slug="pilot"):
    return Campaign.objects.get(slug=slug).selection["practice"]


def test_what_is_written_is_stored_shown_again_and_practised(owner, study):
    page = write(owner, **FIRST, share="0.5")
    assert "Saved: 1 practice item." in page.text
    campaign = Campaign.objects.get()
    assert kept() == [KEPT]
    assert campaign.selection["qualification"] == {"pass": 0.5}
    assert AuditEntry.objects.filter(action="change campaign").exists()
    assert "text 2 about matter 0 with some words" in page.text
    shown = fields_of(page.text, "share")
    assert shown["item-0-segment"] == ["s0"]
    assert shown["item-0-system"] == ["system-0"]
    assert [float(shown[f"item-0-{name}-0"][0]) for name in ("answer", "tolerance")] == [75, 15]
    assert shown["item-1-segment"] == [""]
    write(owner)
    assert Campaign.objects.get().selection == campaign.selection
    form = "/studies/small/campaigns/pilot/edit/"
    assert owner.post(form, filled(owner, form)).status_code == 302
    owner.post("/studies/small/campaigns/pilot/start/", {"confirmed": "yes"})
    items = Campaign.objects.get().items.filter(kind="practice")
    assert [item.first.system.name for item in items] == ["system-0"]
    assert kept()[0]["expected"] == {"style": [60, 90]}


def test_items_are_added_one_by_one_and_removed(owner):
    write(owner, **FIRST)
    write(owner, **{"item-1-segment": "s1", "item-1-system": "(reference)"})
    write(owner, **{"item-2-segment": "s2", "item-2-system": "(source)"})
    assert [entry["output"] for entry in kept()] == [
        ["s0", "system-0"],
        ["s1", "(reference)"],
        ["s2", "(source)"],
    ]
    write(owner, **{"item-1-remove": "on"})
    assert [entry["output"][0] for entry in kept()] == ["s0", "s2"]
    emptied = dict.fromkeys((*FIRST, "item-1-segment", "item-1-system"), "")
    write(owner, **emptied)
    assert kept() == []


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"item-0-system": ""}, "item-0-system", "No output ['s0', '']"),
        ({"item-0-segment": "none"}, "item-0-system", "No output ['none', 'system-0']"),
        ({"item-0-segment": ""}, "item-0-system", "No output ['', 'system-0']"),
        ({"item-0-answer-0": "101"}, "item-0-answer-0", "less than or equal to 100"),
        ({"item-0-tolerance-0": "-1"}, "item-0-tolerance-0", "greater than or equal to 0"),
        ({"item-0-system": "nobody"}, "item-0-system", "Select a valid choice"),
        ({"share": "2"}, "share", "less than or equal to 1"),
        (dict.fromkeys(FIRST, "") | {"share": "0.5"}, "share", "no practice item says what is"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_stored(
    owner, changes, field, message
):
    before = Campaign.objects.get().selection
    answer = write(owner, **FIRST | changes)
    assert answer.status_code == 400
    assert message in html.unescape(str(answer.context["form"].errors[field]))
    assert Campaign.objects.get().selection == before


@pytest.mark.parametrize(
    ("protocol", "changes", "entry", "expected"),
    [
        (
            "relative_naturalness",
            {"item-0-answer-0": "source"},
            {"output": ["s0", "system-1"], "expected": {"naturalness": "source"}},
            {"naturalness": "first"},
        ),
        (
            "output_against_output",
            {"item-0-against": "system-0", "item-0-answer-0": "output"},
            {
                "output": ["s0", "system-1"],
                "against": ["s0", "system-0"],
                "expected": {"overall": "output"},
            },
            {"overall": "second"},
        ),
        (
            "likert",
            {"item-0-answer-1": "4", "item-0-tolerance-1": "1"},
            {"output": ["s0", "system-1"], "expected": {"content": {"answer": 4, "tolerance": 1}}},
            {"content": [3, 5]},
        ),
        (
            "absolute_naturalness",
            {"item-0-answer-0": "2"},
            {
                "output": ["s0", "system-1"],
                "expected": {"naturalness": {"answer": 2, "tolerance": 0}},
            },
            {"naturalness": [2, 2]},
        ),
    ],
)
def test_every_protocol_has_its_own_fields(study, protocol, changes, entry, expected):
    client = signed_in("ada", study)
    prepared(client, study, f"protocol:{protocol}")
    chosen = {"item-0-segment": "s0", "item-0-system": "system-1"}
    write(client, **chosen, **changes)
    assert kept() == [{**entry, "feedback": ""}]
    shown = fields_of(client.get(ADDRESS).text, "share")
    assert {name: shown[name] for name in ("item-0-segment", "item-0-system")} == {
        name: [value] for name, value in chosen.items()
    }
    write(client)
    assert kept() == [{**entry, "feedback": ""}]
    client.post("/studies/small/campaigns/pilot/start/", {"confirmed": "yes"})
    assert kept()[0]["expected"] == expected


def test_the_owner_lets_somebody_rate_all_the_same(owner, study):
    campaign, [annotator, _] = make_campaign(study)
    page = f"/studies/small/campaigns/{campaign.slug}/annotators/{annotator.pk}/"
    assert "rate anyway" not in owner.get(page).text
    Annotator.objects.filter(pk=annotator.pk).update(qualified=False)
    assert "Let them rate anyway" in owner.get(page).text
    answer = owner.post(f"{page}qualify/", follow=True).text
    assert "annotator 1 can rate items from now on." in answer
    assert "Let them rate" not in answer
    assert AuditEntry.objects.get(action="qualify").actor.username == "ada"
