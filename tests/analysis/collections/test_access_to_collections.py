"""Who may open a collection, and who may change it: by page, API and file."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from analysis.models import Collection, CollectionTask
from corpus.jobs.worker import run_next
from corpus.models import Job, Membership
from corpus.studies.deletion import ask_for_deletion
from tests.fixtures.nonempty import at_least_one

ADDRESSES = (
    "/collections/both/",
    "/collections/both/tables/metrics.csv",
    "/collections/both/tables/all.zip",
    "/collections/both/charts/metrics.svg",
    "/api/v1/collections/both/",
    "/api/v1/collections/both/report/",
)
OF_OWNERS = ("/collections/both/edit/", "/collections/both/delete/")


@pytest.fixture
def people(studies, collection):
    """Clients: the owner, a reader of both studies, one of one study, a stranger."""
    found = {}
    for name, memberships in (("owner", 2), ("reader", 2), ("half", 1), ("stranger", 0)):
        person = User.objects.create_user(name)
        for study in studies[:memberships]:
            role = "owner" if name == "owner" else "researcher"
            Membership.objects.create(study=study, user=person, role=role)
        found[name] = Client()
        found[name].force_login(person)
    collection.owner = User.objects.get(username="owner")
    collection.save()
    return found


@pytest.mark.parametrize("address", ADDRESSES)
def test_only_who_may_open_every_study_opens_the_collection(people, address):
    status = {name: client.get(address).status_code for name, client in people.items()}
    assert status == {"owner": 200, "reader": 200, "half": 404, "stranger": 404}


def test_lists_hold_what_one_may_open(people):
    for name, client in people.items():
        sees = name in ("owner", "reader")
        assert (b"Both studies" in client.get("/collections/").content) is sees
        listed = client.get("/api/v1/collections/").json()["results"]
        assert [each["slug"] for each in listed] == (["both"] if sees else [])


@pytest.mark.parametrize("address", OF_OWNERS)
def test_only_the_owner_changes_it(people, address):
    assert people["reader"].post(address).status_code == 403
    assert people["half"].post(address).status_code == 404
    assert Collection.objects.count() == 1
    assert people["owner"].post(address).status_code in (302, 400)


def test_the_api_changes_nothing_for_readers(people):
    for method in ("patch", "delete"):
        answer = getattr(people["reader"], method)(
            "/api/v1/collections/both/", {"title": "Mine"}, content_type="application/json"
        )
        assert answer.status_code == 403
    assert Collection.objects.get().title == "Both studies"


def test_readers_of_studies_add_no_metric_to_them(people):
    assert b"Add my metric" not in people["reader"].get("/collections/both/").content
    for address in ("/collections/both/run/", "/collections/both/scores/"):
        assert people["reader"].post(address, {"metric": "bleu"}).status_code == 403
    answer = people["reader"].post("/api/v1/collections/both/runs/", {"metric": "bleu"})
    assert answer.status_code == 202
    assert set(answer.json()["refused"]) == {"one", "two"}
    assert not Job.objects.filter(kind="score").exists()


def test_a_study_that_is_to_be_deleted_hides_the_collection(people, studies):
    owner = User.objects.get(username="owner")
    ask_for_deletion(studies[0], "one", owner)
    assert people["owner"].get("/collections/both/").status_code == 404


def test_tasks_of_a_study_that_is_closed_are_not_taken(people, studies):
    given = {"slug": "mine", "title": "Mine", "preset": "directions", "studies": ["one", "two"]}
    answer = people["half"].post("/api/v1/collections/", given, content_type="application/json")
    assert answer.status_code == 404
    task = {"study": "two", "statistic": "system-pairs"}
    given = {"slug": "mine", "title": "Mine", "tasks": [task]}
    answer = people["half"].post("/api/v1/collections/", given, content_type="application/json")
    assert answer.status_code == 404
    assert Collection.objects.count() == 1


def test_a_job_of_a_collection_tells_nothing_of_a_study_that_one_may_not_open(
    people, studies, monkeypatch
):
    monkeypatch.setattr("analysis.collections.service.QUICK", 0)
    CollectionTask.objects.filter(study=studies[1]).update(question={"aspect": ["nothing"]})
    assert people["owner"].get("/collections/both/").status_code == 202
    job = run_next()
    assert "this study has overall" in job.error, "it names what the second study holds"
    assert people["reader"].get(f"/jobs/{job.pk}/").status_code == 200
    for address in (f"/jobs/{job.pk}/", f"/api/v1/jobs/{job.pk}/"):
        assert people["half"].get(address).status_code == 404
    assert f"/jobs/{job.pk}/" in people["reader"].get("/jobs/").text
    assert f"/jobs/{job.pk}/" not in people["half"].get("/jobs/").text
    assert people["half"].post(f"/api/v1/jobs/{job.pk}/resume/").status_code == 404


def test_with_its_study_a_task_goes(people, studies):
    from analysis.deletion import delete_of_study

    delete_of_study(studies[0])
    left = CollectionTask.objects.values_list("study__slug", flat=True)
    assert set(at_least_one(left)) == {"two"}
