"""The pages of a set of campaigns: what its tasks share, its start, its people, its states."""

import pytest

from annotation.models import Annotator, Campaign, CampaignSet, Participant
from corpus.jobs.worker import run_next
from corpus.models import AuditEntry, Job
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.campaign_pages import filled, prepared, signed_in
from tests.fixtures.campaigns import make_study
from tests.fixtures.html_forms import fields_of

pytestmark = pytest.mark.django_db
SETS = "/studies/small/campaign-sets/"
HOME = f"{SETS}pilot/"
EDIT = f"{HOME}edit/"


@pytest.fixture
def study():
    study = make_study(4, 2)
    store_lexicon(study, "words", [LexiconEntry("some words", "informal", -2.0)])
    return study


@pytest.fixture
def together(owner, study) -> CampaignSet:
    """The complete set, as its page prepares it."""
    assert prepared(owner, study, "preset:style-transfer-complete") == EDIT
    assert owner.post(EDIT, filled(owner, EDIT)).status_code == 302
    return CampaignSet.objects.get()


@pytest.fixture
def running(owner, together) -> CampaignSet:
    answer = owner.post(f"{HOME}start/", {"confirmed": "yes"})
    assert answer["Location"] == HOME
    return together


def words(page) -> str:
    return " ".join(page.content.decode().split())


def test_what_the_tasks_share_is_decided_once(owner, together):
    data = filled(
        owner, EDIT, title="Second", segments="3", annotators="2", ratings_per_item="2",
        consent="Freely.", questions="First language", by_code="on", lease_minutes="5",
    )  # fmt: skip
    answer = owner.post(EDIT, data)
    assert answer.status_code == 302, answer.context["form"].errors
    together.refresh_from_db()
    assert together.title == "Second"
    assert len(together.sample) == 3
    assert len(together.invite_code) >= 20
    for campaign in together.tasks:
        assert campaign.consent == "Freely."
        assert campaign.questions == ["First language"]
        assert campaign.lease_seconds == 300
        assert (campaign.ratings_per_item, campaign.selection["annotators"]) == (2, 2)
    page = words(owner.get(HOME))
    assert "3 sampled, the same for every task" in page
    # Saving again draws the same sample: it goes by the seed of the set.
    before = together.sample
    owner.post(EDIT, filled(owner, EDIT))
    together.refresh_from_db()
    assert together.sample == before


def test_the_form_of_a_task_leaves_alone_what_the_tasks_share(owner, together):
    first = together.tasks[0]
    before = first.selection
    address = f"/studies/small/campaigns/{first.slug}/edit/"
    page = owner.get(address)
    assert not {"systems", "annotators", "consent", "by_code"} & set(page.context["form"].fields)
    assert f'href="{EDIT}"' in page.content.decode()
    fields = fields_of(page.content.decode(), "question-0")
    data = {name: value for name, value in fields.items() if name != "table"}
    answer = owner.post(address, data | {"guidelines": "Read."})
    assert answer.status_code == 302, answer.context["form"].errors
    first.refresh_from_db()
    assert first.guidelines == "Read."
    for name in ("system_ids", "annotators", "segments", "directions"):
        assert first.selection[name] == before[name]


def test_the_owner_sets_the_order_of_the_tasks(owner, together):
    made = together.tasks
    places = {f"place-{each.pk}": str(4 - number) for number, each in enumerate(made)}
    owner.post(EDIT, filled(owner, EDIT) | places)
    assert together.tasks == made[::-1]
    places[f"place-{made[0].pk}"] = "1"
    answer = owner.post(EDIT, filled(owner, EDIT) | places)
    assert answer.status_code == 400
    assert "already has position 1" in words(answer)
    assert together.tasks == made[::-1]


def test_a_task_that_cannot_start_is_named_and_leads_to_its_masked_texts(owner, study):
    store_lexicon(study, "others", [LexiconEntry("text")])
    prepared(owner, study, "preset:style-transfer-complete")
    page = words(owner.get(HOME))
    assert "Pilot: content preservation</strong> cannot start as it is" in page
    assert "/campaigns/pilot-content-preservation/masks/" in page
    assert "Start all campaigns" not in page
    answer = owner.post(f"{HOME}start/", {"confirmed": "yes"}, follow=True)
    assert "Not started: Pilot: content preservation" in words(answer)
    assert {each.state for each in Campaign.objects.all()} == {"draft"}


def test_a_set_without_style_words_can_show_plain_texts_by_one_button(owner, study):
    store_lexicon(study, "others", [LexiconEntry("text")])
    prepared(owner, study, "preset:style-transfer-complete")
    assert "Show plain texts instead" in words(owner.get(HOME))
    masks = "/studies/small/campaigns/pilot-content-preservation/masks/"
    page = words(owner.post(masks, {"action": "plain"}, follow=True))
    assert "Pilot: content preservation will show plain texts." in page
    assert "cannot start as it is" not in page
    assert "Start all campaigns" in page
    task = Campaign.objects.get(slug="pilot-content-preservation")
    assert task.config["masked"] is False
    assert "masked" not in task.guidelines
    entry = AuditEntry.objects.get(action="change campaign", object=task.slug)
    assert entry.after == {"config.masked": False}


def test_starting_asks_for_a_confirmation_and_opens_everything(owner, together):
    assert "Not started" in words(owner.post(f"{HOME}start/", follow=True))
    assert "Start all campaigns" in words(owner.get(HOME))
    owner.post(f"{HOME}start/", {"confirmed": "yes"})
    assert {each.state for each in together.tasks} == {"open"}
    assert Participant.objects.count() == 3
    assert AuditEntry.objects.filter(action="start campaign").count() == 4
    page = words(owner.get(HOME))
    assert "3 annotators have no link yet" in page
    assert "0 of 96 ratings of items" in page
    assert owner.get(EDIT)["Location"] == HOME
    answer = owner.post("/studies/small/campaigns/pilot-direct-assessment/start/",
                        {"confirmed": "yes"}, follow=True)  # fmt: skip
    assert "together with the other campaigns" in words(answer)


def test_a_large_set_is_started_by_one_job_that_goes_on_where_it_was_cut_off(
    owner, together, monkeypatch
):
    monkeypatch.setattr("annotation.launch.starting.AT_ONCE", 10)
    answer = owner.post(f"{HOME}start/", {"confirmed": "yes"})
    job = Job.objects.get(kind="start campaign")
    assert answer["Location"] == f"/jobs/{job.pk}/"
    assert "These campaigns are starting" in words(owner.get(HOME))
    assert "already" in words(owner.post(f"{HOME}start/", {"confirmed": "yes"}, follow=True))
    assert run_next()
    job.refresh_from_db()
    assert (job.state, job.result["link"]) == ("done", HOME)
    assert {each.state for each in together.tasks} == {"open"}
    assert [each.annotators.count() for each in together.tasks] == [3] * 4


def test_a_task_has_no_links_of_its_own(owner, running):
    first = running.tasks[0]
    address = f"/studies/small/campaigns/{first.slug}/annotators/"
    assert f'href="{HOME}"' in owner.get(address).content.decode()
    assert owner.post(f"{address}links/")["Location"] == HOME
    person = first.annotators.first()
    assert owner.post(f"{address}{person.pk}/link/")["Location"] == HOME
    assert "campaign-sets/pilot/people" in owner.post(f"{address}{person.pk}/revoke/")["Location"]
    assert not Annotator.objects.exclude(token_sha256="").exists()
    answer = owner.post(f"{address}add/", {"count": "1"})
    assert answer["Location"] == HOME


def test_what_is_no_set_of_the_study_is_not_found(owner, together):
    assert owner.get(f"{SETS}other/").status_code == 404
    assert signed_in("eve").get(HOME).status_code == 404
    reader = signed_in("grace", together.study, "researcher")
    assert reader.get(HOME).status_code == 200
    assert reader.get(EDIT).status_code == 403
    assert reader.post(f"{HOME}start/", {"confirmed": "yes"}).status_code == 403
