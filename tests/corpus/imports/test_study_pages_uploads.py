"""Uploads: their limit, their guard, and new studies made of them."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import (
    sent_files,
)
from tests.fixtures.study_files import SEGMENTS

pytestmark = pytest.mark.django_db


# The limit of uploads


def test_files_above_the_limit_are_refused_with_both_sizes(client, study, settings):
    settings.UPLOAD_LIMIT_BYTES = 1024 * 1024
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1024
    sent = {"files": sent_files({"segments.csv": b"x" * 2 * 1024 * 1024})}
    page = client.post(reverse("study-import", args=["small"]), sent)
    assert page.status_code == 413
    assert "this site takes up to 1.0\xa0MB" in page.text


def test_two_files_of_one_name_are_refused_on_the_form(client, study):
    files = 2 * sent_files({"segments.csv": SEGMENTS})
    page = client.post(reverse("study-import", args=["small"]), {"files": files})
    assert page.status_code == 400
    assert "two files are named segments.csv" in page.text


def test_an_upload_needs_a_csrf_token(owner, study):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    [file] = sent_files({"segments.csv": SEGMENTS})
    address = reverse("study-import", args=["small"])
    assert client.post(address, {"files": [file]}).status_code == 403
    page = client.get(address)
    token = fields_of(page.text, "layout")["csrfmiddlewaretoken"]
    file.seek(0)
    sent = client.post(address, {"files": [file], "csrfmiddlewaretoken": token})
    assert sent.status_code == 302


# A new study with its files
