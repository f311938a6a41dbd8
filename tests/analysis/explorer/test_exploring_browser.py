"""Exploring pages in a real browser: no complaint, no accessibility violation, phone and dark."""

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from analysis.sweeps.asked import Sweep
from analysis.sweeps.service import ask_for_sweep
from corpus.jobs.worker import run_next
from corpus.models import Study
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.report_pages import DEMO, imported, reader
from tests.fixtures.style_training import transformer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
STUDY = "/studies/formality-demo"


@pytest.fixture
def open_page(chromium_page, live_server, tmp_path):
    """Open pages of the demo study as a reader; what the browser complains of fails the test."""
    complaints = []

    def opened(address: str, **options):
        page = chromium_page(**options)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}]
        )
        page.goto(f"{live_server.url}{address}")
        return page

    with override_settings(MEDIA_ROOT=tmp_path / "files"), imported(DEMO):
        cookie = reader("ada", "formality-demo").cookies[settings.SESSION_COOKIE_NAME].value
        yield opened
    assert complaints == []


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_a_trial_has_no_accessibility_violations(open_page, tmp_path, own, width, dark):
    transformer(Study.objects.get(slug="formality-demo"), tmp_path)
    page = open_page(f"{STUDY}/try/", width=width, dark=dark)
    page.fill("[name=source]", "the food was awful with the soup 1 .")
    page.fill("[name=output]", "the food was lovely and the soup was terrible 1 .")
    page.click("text=Try >> nth=-1")
    page.wait_for_selector("#nearest")
    assert_usable(page, whatever_impact=True)


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_a_sweep_has_no_accessibility_violations(open_page, own, width, dark):
    study = Study.objects.get(slug="formality-demo")
    grid = {"plus": [0, 3, 9]}
    job = ask_for_sweep(study, Sweep("counting", "content", "source", grid=grid), None)
    run_next()
    job.refresh_from_db()
    for address in (f"{STUDY}/sweep/", job.result["link"]):
        page = open_page(address, width=width, dark=dark)
        assert_usable(page, whatever_impact=True)


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_pages_on_references_have_no_accessibility_violations(open_page, own, width, dark):
    call_command("score", "formality-demo", "counting", "--against", "source", verbosity=0)
    call_command("score", "formality-demo", "counting", "--against", "reference", verbosity=0)
    for address in ("/distances/", f"{STUDY}/references/"):
        page = open_page(address, width=width, dark=dark)
        assert_usable(page, whatever_impact=True)
