"""Owners write practice items down, are told what is wrong, and overrule the decision."""

import html
import json
import re

import pytest

from annotation.models import Annotator, Campaign
from corpus.models import AuditEntry
from tests.campaign_pages import filled, prepared, signed_in
from tests.campaigns import make_campaign, make_study
from tests.html_forms import fields_of

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/campaigns/pilot/practice/"
ITEM = {"output": ["s0", "system-0"], "expected": {"style": [60, 90]}, "feedback": "Für “alle”."}


@pytest.fixture
def study():
    return make_study()


@pytest.fixture
def owner(study):
    client = signed_in("ada", study)
    prepared(client, study)
    return client


def written(*items, share=""):
    return {"practice": json.dumps(items), "share": share}


def test_what_is_written_is_stored_shown_again_and_practised(owner, study):
    empty = owner.get(ADDRESS)
    assert fields_of(empty.text, "practice")["practice"] == [""]
    [example] = re.findall(r'placeholder="(.*?)"', empty.text, re.DOTALL)
    [entry] = json.loads(html.unescape(example))
    assert entry["expected"] == {name: [0, 100] for name in ("style", "content", "fluency")}
    page = owner.post(ADDRESS, written(ITEM, share="0.5"), follow=True)
    assert "Saved: 1 practice item." in page.text
    campaign = Campaign.objects.get()
    assert campaign.selection["practice"] == [ITEM]
    assert campaign.selection["qualification"] == {"pass": 0.5}
    assert AuditEntry.objects.filter(action="change campaign").exists()
    shown = fields_of(page.text, "practice")
    assert "Für “alle”." in page.text
    assert json.loads(shown["practice"][0]) == [ITEM]
    assert float(shown["share"][0]) == 0.5
    owner.post(ADDRESS, shown)
    assert Campaign.objects.get().selection == campaign.selection
    form = "/studies/small/campaigns/pilot/edit/"
    assert owner.post(form, filled(owner, form)).status_code == 302
    owner.post("/studies/small/campaigns/pilot/start/", {"confirmed": "yes"})
    items = Campaign.objects.get().items.filter(kind="practice")
    assert [item.first.system.name for item in items] == ["system-0"]


@pytest.mark.parametrize(
    ("practice", "share", "message"),
    [
        ("[{", "", "This is not JSON: Expecting"),
        (json.dumps([{"output": ["s0", "none"]}]), "", "Practice item 1, output: no output"),
        (json.dumps([ITEM | {"feedback": "a\0b"}]), "", "NUL character"),
        (json.dumps([ITEM | {"feedback": "\ud800"}]), "", "half of a character"),
        (json.dumps([ITEM]), "2", "less than or equal to 1"),
        ("", "0.5", "Qualification: no practice item says what is expected."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(owner, practice, share, message):
    before = Campaign.objects.get().selection
    answer = owner.post(ADDRESS, {"practice": practice, "share": share})
    assert answer.status_code == 400
    assert message in answer.text
    assert Campaign.objects.get().selection == before


def test_nothing_is_practised_where_the_field_is_emptied(owner):
    owner.post(ADDRESS, written(ITEM))
    owner.post(ADDRESS, {"practice": "", "share": ""})
    assert Campaign.objects.get().selection["practice"] == []


def test_practice_is_prepared_before_the_start_of_what_can_have_it(owner, study):
    started, _ = make_campaign(study)
    page = f"/studies/small/campaigns/{started.slug}/practice/"
    assert owner.get(page).url.endswith("/preview/")
    Campaign.objects.filter(slug="pilot").update(protocol="ranking")
    assert owner.post(ADDRESS, written(ITEM)).url.endswith("/preview/")
    assert "practice" not in Campaign.objects.get(slug="pilot").selection


def test_a_practice_item_that_does_not_fit_any_more_stops_the_start(owner):
    owner.post(ADDRESS, written(ITEM))
    campaign = Campaign.objects.get()
    campaign.config = {**campaign.config, "aspects": ["fluency"]}
    campaign.save()
    page = owner.get("/studies/small/campaigns/pilot/preview/").text
    assert "practice item 1: &#x27;style&#x27; is not asked" in page
    assert "Start the campaign" not in page


def test_the_owner_lets_somebody_rate_all_the_same(owner, study):
    campaign, [annotator, _] = make_campaign(study)
    page = f"/studies/small/campaigns/{campaign.slug}/annotators/{annotator.pk}/"
    assert "all the same" not in owner.get(page).text
    Annotator.objects.filter(pk=annotator.pk).update(qualified=False)
    assert "Let them rate all the same" in owner.get(page).text
    answer = owner.post(f"{page}qualify/", follow=True).text
    assert "annotator 1 gets items to rate from now on." in answer
    assert "Let them rate" not in answer
    assert AuditEntry.objects.get(action="qualify").actor.username == "ada"
