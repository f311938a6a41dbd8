"""The page on which owners set up a panel: Prolific's names, codes for all, nothing unsafe."""

import pytest
from django.test import Client

from annotation.models import Panel
from annotation.panels.outcomes import Outcome
from corpus.models import AuditEntry
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.html_forms import fields_of
from tests.fixtures.panels import answer_all, read_guidelines

pytestmark = pytest.mark.django_db
PLACEHOLDERS = (
    "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
)


@pytest.fixture
def campaign():
    return make_campaign(make_study(3, 1), annotators=2, slug="pilot")[0]


@pytest.fixture
def ada(campaign):
    return signed_in("ada", campaign.study)


HOME = "/studies/small/campaigns/pilot/panel/"


def filled(client: Client, address: str = HOME, **changes: str | None) -> dict[str, str]:
    """The form as a browser sends it, with some fields changed; None takes one out."""
    form = dict(fields_of(client.get(address).content.decode(), "preset"))
    form |= {name.replace("__", "-"): value for name, value in changes.items()}
    return {name: value for name, value in form.items() if value is not None}


def test_prolific_needs_one_click_and_gives_a_code_for_every_outcome(ada, campaign):
    assert ada.post(HOME, filled(ada)).status_code == 302
    panel = Panel.objects.get()
    assert panel.names == {
        "participant": "PROLIFIC_PID", "study": "STUDY_ID", "session": "SESSION_ID"
    }  # fmt: skip
    assert set(panel.endings) == {outcome.value for outcome in Outcome}
    assert len(set(panel.endings.values())) == len(Outcome)
    campaign.refresh_from_db()
    page = ada.get(HOME).text
    address = f"/join-by-code/{campaign.invite_code}/{PLACEHOLDERS}"
    assert address.replace("&", "&amp;") in page


def test_the_audit_trail_says_who_changed_what(ada):
    ada.post(HOME, filled(ada))
    ada.post(HOME, filled(ada, ending__finished="CNEWCODE"))
    changes = AuditEntry.objects.filter(action="change panel").order_by("pk")
    assert [each.actor.username for each in changes] == ["ada", "ada"]
    assert set(changes[1].after) == {"endings"}
    assert changes[1].after["endings"]["finished"] == "CNEWCODE"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ending__stopped": ""}, "Everybody who leaves needs a code"),
        ({"ending__paused": "x y"}, "A code has 4 to 40"),
        ({"ending__paused": "https://panel.example/"}, "enter only the code"),
        ({"ending__paused": "CSAME", "ending__stopped": "CSAME"}, "its own code"),
        ({"preset": "other", "name__participant": ""}, "participants cannot be distinguished"),
        ({"preset": "other", "name__study": "a b"}, "letters, digits"),
        ({"preset": "other", "name__study": "PROLIFIC_PID"}, "one thing only"),
        ({"preset": "other", "ending__paused": "http://panel.example/"}, "begin with https"),
        ({"reward": "2.50", "currency": ""}, "the currency of the reward"),
        ({"least_checks": "1"}, "greater than or equal to 2"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_nothing_is_stored(ada, changes, said):
    reply = ada.post(HOME, filled(ada, **changes))
    assert reply.status_code == 400
    assert said in reply.text
    assert not Panel.objects.exists()


def test_another_panel_has_its_own_names_and_return_addresses(ada, campaign):
    form = filled(
        ada, preset="other", name__participant="rid", name__study="pid", name__session="",
        ending__finished="https://panel.example/back?rid={participant}&c={code}&end=1",
        ending__nothing_left="https://panel.example/back?rid={participant}&end=4",
    )  # fmt: skip
    assert ada.post(HOME, form).status_code == 302
    campaign.refresh_from_db()
    client = Client()
    client.at = client.get(f"/join-by-code/{campaign.invite_code}/?rid=a%26b&pid=77").url
    annotator = campaign.annotators.get(platform__participant="a&b")
    assert annotator.platform["study"] == "77"
    read_guidelines(client)
    html = answer_all(client)
    back = f"https://panel.example/back?rid=a%26b&amp;c={annotator.completion_code}&amp;end=1"
    assert f'href="{back}"' in html
    campaign.annotators.update(revoked_at="2026-01-01T00:00Z")
    refused = Client().get(f"/join-by-code/{campaign.invite_code}/?rid=late").text
    assert 'href="https://panel.example/back?rid=late&amp;end=4"' in refused


def test_researchers_and_strangers_reach_no_panel(ada, campaign):
    ada.post(HOME, filled(ada))
    for role in ("researcher", "stranger"):
        client = signed_in(role, campaign.study if role == "researcher" else None, role)
        assert client.get(HOME).status_code in (403, 404)
        assert client.post(HOME, {"preset": "other"}).status_code in (403, 404)
