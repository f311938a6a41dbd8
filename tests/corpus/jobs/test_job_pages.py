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


def test_others_cannot_tell_a_job_from_one_that_does_not_exist(show, client):
    assert show("stranger").status_code == 404
    assert client.get(reverse("job", args=[999_999])).status_code == 404
    assert "There are no jobs yet" in client.get(reverse("job-list")).text


def test_a_job_without_a_study_is_seen_by_who_asked_for_it_only(show, people, job):
    Job.objects.update(study=None)
    assert show("creator").status_code == 200
    assert show("owner").status_code == 404


@pytest.mark.parametrize("action", ["job-cancel", "job-resume"])
def test_a_researcher_looks_at_a_job_and_steers_it_not(client, people, job, action):
    client.force_login(people["researcher"])
    assert client.post(reverse(action, args=[job.pk])).status_code == 403
    assert client.get(reverse(action, args=[job.pk])).status_code == 405
    client.force_login(people["stranger"])
    assert client.post(reverse(action, args=[job.pk])).status_code == 404
    job.refresh_from_db()
    assert job.state == "queued"


def test_a_running_job_shows_its_progress_and_asks_again_by_itself(show, job):
    progress = {"message": "reading outputs.csv", "done": 30, "total": 120}
    Job.objects.update(state="running", progress=progress)
    page = show()
    assert 'max="120" value="30"' in page.text
    assert "reading outputs.csv: 30 of 120" in page.text
    assert 'hx-trigger="every 1s"' in page.text
    fragment = show(**{"HX-Request": "true"})
    assert 'max="120" value="30"' in fragment.text
    assert "<html" not in fragment.text
    assert "HX-Refresh" not in fragment
    assert "HX-Request" in fragment["Vary"]


def test_the_header_counts_the_jobs_that_somebody_waits_for(show, people, study):
    assert ">1 job running<" in show().text
    ask_for_job("import", "other", study=study, user=people["creator"], parameters={})
    assert ">2 jobs running<" in show().text


def test_a_job_that_ended_reloads_the_page_that_watches_it(show, job):
    Job.objects.update(state="done")
    fragment = show(**{"HX-Request": "true"})
    assert fragment["HX-Refresh"] == "true"
    assert "hx-trigger" not in fragment.text


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


def test_trying_again_beside_an_active_successor_says_which(show, client, job, people):
    show()
    client.post(reverse("job-cancel", args=[job.pk]))
    successor = ask_for_job("import", job.key, study=None, user=None, parameters={})
    page = client.post(reverse("job-resume", args=[job.pk]), follow=True)
    assert f"Not tried again: import job {successor.pk} is waiting" in page.text


def test_a_failed_import_shows_where_what_is_wrong(show, job):
    problem = {
        "file": "ratings.csv",
        "line": 17,
        "column": "score",
        "position": 42,
        "found": "<b>101</b>",
        "expected": "a number from 0 to 100",
        "message": "The score lies outside the scale.",
        "code": "out-of-scale",
    }
    Job.objects.update(state="failed", error="1 problem", result={"problems": [problem]})
    text = show().text
    for shown in ("ratings.csv", "17", "score", ":42", "a number from 0 to 100"):
        assert shown in text
    assert "&lt;b&gt;101&lt;/b&gt;" in text
    assert "The score lies outside the scale." in text


def test_a_finished_import_shows_rows_notes_and_files_that_were_not_read(show, job):
    result = {
        "tables": {"outputs": {"added": 720, "unchanged": 9}},
        "notes": ["White space was trimmed."],
        "unrecognised": [["readme.pdf", "not a format that holds tables"]],
        "link": "/studies/reviews/",
    }
    Job.objects.update(state="done", result=result)
    text = show().text
    for shown in ("outputs", "720", "White space was trimmed.", "readme.pdf"):
        assert shown in text
    assert 'href="/studies/reviews/"' in text
