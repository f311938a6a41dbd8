"""A job's page in a real browser: it follows the job by itself, and works without scripts."""

import pytest
from django.contrib.auth.models import User

from corpus.jobs.queue import ask_for_job
from corpus.models import Job
from tests.fixtures.accessibility import WIDTHS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def job():
    person = User.objects.create_user("ada")
    return ask_for_job("import", "reviews", study=None, user=person, parameters={})


@pytest.fixture
def open_job(open_as, client, job):
    """Open the job's page as who asked for it."""
    client.force_login(job.created_by)
    return lambda **options: open_as(client, f"/jobs/{job.pk}/", **options)


def test_progress_moves_and_the_result_appears_without_a_click(open_job, job):
    page = open_job()
    page.get_by_text("Waiting for a worker").wait_for()
    progress = {"message": "reading outputs.csv", "done": 30, "total": 120}
    Job.objects.update(state="running", progress=progress)
    page.get_by_text("reading outputs.csv: 30 of 120").wait_for()
    assert page.locator("progress").get_attribute("value") == "30"
    Job.objects.update(state="done", result={"notes": ["White space was trimmed."]})
    page.get_by_text("White space was trimmed.").wait_for()
    assert page.locator("progress").count() == 0


def test_without_scripts_a_job_is_looked_at_again_cancelled_and_tried_again(open_job, job):
    page = open_job(scripts=False)
    Job.objects.update(progress={"message": "reading outputs.csv"})
    page.get_by_role("link", name="Look again").click()
    page.get_by_text("reading outputs.csv").wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Try again").click()
    page.get_by_text("Waiting for a worker").wait_for()
    job.refresh_from_db()
    assert job.state == "queued"


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_a_long_problem_does_not_widen_the_page(open_job, width, dark):
    problem = {
        "file": "ratings.csv",
        "line": 17,
        "column": "score",
        "found": "x" * 300,
        "expected": "a number from 0 to 100",
        "message": "The score lies outside the scale.",
    }
    Job.objects.update(state="failed", error="1 problem", result={"problems": [problem]})
    page = open_job(width=width, dark=dark)
    page.get_by_text("The score lies outside the scale.").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
