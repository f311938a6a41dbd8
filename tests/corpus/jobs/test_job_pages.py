"""Pages of jobs: who sees them, what they show, cancelling and trying again."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from corpus.jobs.queue import ask_for_job
from corpus.models import Job, Membership, Study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return Study.objects.create(slug="reviews", title="Reviews")


@pytest.fixture
def people(study):
    names = ("creator", "owner", "researcher", "stranger")
    people = {name: User.objects.create_user(name) for name in names}
    people["administrator"] = User.objects.create_superuser("administrator")
    for name, role in (("creator", "owner"), ("owner", "owner"), ("researcher", "researcher")):
        Membership.objects.create(study=study, user=people[name], role=role)
    return people


@pytest.fixture
def job(people, study):
    return ask_for_job("import", "reviews", study=study, user=people["creator"], parameters={})


@pytest.fixture
def show(client, people, job):
    """Show the job's page to somebody, in full or as htmx asks for it."""

    def get(name="creator", **headers):
        client.force_login(people[name])
        return client.get(reverse("job", args=[job.pk]), headers=headers)

    return get


@pytest.mark.parametrize("name", ["creator", "owner", "researcher", "administrator"])
def test_who_asked_and_members_of_its_study_see_a_job(show, client, job, name):
    assert "Import of Reviews" in show(name).text
    assert f'href="{reverse("job", args=[job.pk])}"' in client.get(reverse("job-list")).text


def test_cancelling_and_trying_again_by_the_page(show, client, job):
    assert reverse("job-cancel", args=[job.pk]) in show().text
    page = client.post(reverse("job-cancel", args=[job.pk]), follow=True)
    assert "cancelled" in page.text
    assert reverse("job-resume", args=[job.pk]) in page.text
    again = client.post(reverse("job-cancel", args=[job.pk]), follow=True)
    assert "This job had already ended" in again.text
    page = client.post(reverse("job-resume", args=[job.pk]), follow=True)
    assert "waiting" in page.text
    again = client.post(reverse("job-resume", args=[job.pk]), follow=True)
    assert "Only a failed or cancelled job can be tried again" in again.text


def test_a_failed_import_shows_where_what_is_wrong(show, job):
    problem = {
        "file": "ratings.csv",
        "line": 17,
        "column": "score",
        "found": "<b>101</b>",
        "expected": "a number from 0 to 100",
        "message": "The score lies outside the scale.",
        "code": "out-of-scale",
    }
    Job.objects.update(state="failed", error="1 problem", result={"problems": [problem]})
    text = show().text
    for shown in ("ratings.csv", "17", "score", "a number from 0 to 100"):
        assert shown in text
    assert "&lt;b&gt;101&lt;/b&gt;" in text
    assert "The score lies outside the scale." in text
