"""Exports from the study's page: asked for, downloaded, and kept from others."""

import io
import json
import zipfile

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from corpus.jobs.worker import run_next
from corpus.models import Job, Membership, Study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(small_study, db):
    return Study.objects.get(slug="small")


@pytest.fixture
def people(study):
    people = {name: User.objects.create_user(name) for name in ("owner", "researcher", "stranger")}
    for role in ("owner", "researcher"):
        Membership.objects.create(study=study, user=people[role], role=role)
    return people


@pytest.fixture
def export(client, people):
    """Ask for an export as the owner and have it written."""

    def ask(**fields):
        client.force_login(people["owner"])
        answer = client.post(reverse("study-export", args=["small"]), fields)
        job = run_next()
        assert answer.url == reverse("job", args=[job.pk])
        assert job.state == "done", job.error
        return job

    return ask


def test_the_jobs_page_leads_to_the_zip_with_every_table(client, export):
    job = export()
    address = reverse("export-download", args=[job.pk])
    page = client.get(reverse("job", args=[job.pk])).text
    assert f'href="{address}"' in page
    assert '<th scope="row">segments.csv</th><td class="number">4</td>' in page
    answer = client.get(address)
    assert 'filename="small.zip"' in answer["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.getvalue())) as archive:
        names = set(archive.namelist())
        assert json.loads(archive.read("study.json"))["title"] == "A small study"
    assert {"segments.csv", "outputs.csv", "ratings.csv", "metric_scores.csv"} <= names


def test_asking_twice_shows_the_export_that_has_not_ended(client, people):
    client.force_login(people["owner"])
    address = reverse("study-export", args=["small"])
    first = client.post(address)
    second = client.post(address, follow=True)
    assert second.redirect_chain[0][0] == first.url
    assert "This export already exists; here it is." in second.text


def test_the_page_offers_every_form_of_an_export_and_starts_none(client, people):
    client.force_login(people["owner"])
    page = client.get(reverse("study-export", args=["small"]))
    for button in ("Export the study", "Export for spreadsheets", "Export as"):
        assert button in page.text
    assert not Job.objects.filter(kind="export").exists()
    assert reverse("study-export", args=["small"]) in client.get("/studies/small/segments/").text
    client.force_login(people["researcher"])
    assert client.get(reverse("study-export", args=["small"])).status_code == 403
    assert (
        reverse("study-export", args=["small"]) not in client.get("/studies/small/segments/").text
    )
