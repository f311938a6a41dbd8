"""A study archive says which campaigns belong together, and how each of them asked."""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from annotation.launch.starting import start
from annotation.models import Annotator, Campaign, CampaignSet
from corpus.models import Study
from tests.annotation.sets.test_campaign_sets import make_set
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import answers_for, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(db) -> CampaignSet:
    """A set in which everybody has answered twice in each task."""
    owner = User.objects.create_user("ada")
    together = make_set(owner)
    start(together, owner)
    for person in Annotator.objects.select_related("campaign__study"):
        for assignment in person.assignments.order_by("position")[:2]:
            send(person, assignment, answers_for(person.campaign, 3))
    return together


def exported(slug: str, path) -> str:
    call_command("export_study", slug, output=path, verbosity=0)
    return str(path)


@pytest.mark.dialect
def test_a_set_comes_back_with_its_tasks_settings_and_people(rated, tmp_path):
    archive = exported("small", tmp_path / "first.zip")
    call_command("import_study", archive, study="elsewhere", verbosity=0)
    there = CampaignSet.objects.get(study__slug="elsewhere")
    assert (there.slug, there.title) == ("pilot", "Pilot")
    here, again = rated.tasks, there.tasks
    assert [(each.slug, each.position, each.protocol) for each in again] == [
        (each.slug, each.position, each.protocol) for each in here
    ]
    assert again[1].config["masked"] is False
    assert again[2].config["tie"] is False
    for campaign in again:
        people = campaign.annotators.order_by("pseudonym").values_list("pseudonym", flat=True)
        assert list(people) == ["annotator 1", "annotator 2"]
    call_command(
        "import_study", exported("elsewhere", tmp_path / "second.zip"), study="third", verbosity=0
    )
    third = CampaignSet.objects.get(study__slug="third")
    assert [each.config for each in third.tasks] == [each.config for each in again]


def test_an_imported_set_is_listed_and_has_nobody_to_invite(rated, tmp_path):
    call_command("import_study", exported("small", tmp_path / "a.zip"), study="other", verbosity=0)
    owner = signed_in("ada", Study.objects.get(slug="other"))
    page = owner.get("/studies/other/campaigns/").content.decode()
    assert "set: the same people" in page
    assert "campaign-sets" not in page
    assert owner.get("/studies/other/campaign-sets/pilot/").status_code == 404
    assert not Campaign.objects.filter(study__slug="other", origin="live").exists()
