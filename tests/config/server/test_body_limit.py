"""Bodies of requests are limited on every address before any of them is kept."""

import pytest
from django.test import Client

from tests.config.whole_site.test_access_matrix import ROUTES, address, clients, study  # noqa: F401
from tests.fixtures.api_clients import client_of

pytestmark = pytest.mark.django_db

UNIT = 1 << 16
UPLOADS = {
    *("study-new", "study-import", "study-style-train", "study-lexicon-train", "api-imports"),
    "api-style-models",
    "collection-scores",
}
BOUNDARY = "parts"
HEAD = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n'
    "Content-Type: text/csv\r\n\r\n"
).encode()


@pytest.fixture(autouse=True)
def limits(settings, tmp_path):
    """Small limits, and no folder for temporary files: whoever writes to it fails."""
    settings.ANONYMOUS_LIMIT_BYTES = UNIT
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * UNIT
    settings.UPLOAD_LIMIT_BYTES = 2 * UNIT
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 1024
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "absent"


def guarded(client):
    """Return the client as a browser: without a CSRF token that the page gave out it is refused."""
    client.handler.enforce_csrf_checks = True
    client.raise_request_exception = False
    return client


def send(client, path, size, **headers):
    """Send a file so that the request has a size."""
    body = HEAD + b"x" * (size - len(HEAD))
    content_type = f"multipart/form-data; boundary={BOUNDARY}"
    return client.generic("POST", path, body, content_type, headers=headers or None)


def statuses(client, size):
    """Return what every address answers to a request of a size."""
    found = {name: send(client, address(pattern, name), size) for name, pattern in ROUTES}
    return {name: reply.status_code for name, reply in found.items()}


def test_who_is_not_signed_in_sends_no_more_than_the_limit_anywhere(clients):  # noqa: F811
    assert set(statuses(guarded(clients["annotator"]), UNIT + 1).values()) == {413}


def test_pages_that_take_no_files_accept_what_a_form_may_hold(clients):  # noqa: F811
    answered = statuses(guarded(clients["owner"]), 3 * UNIT + 1)
    assert {name for name, status in answered.items() if status != 413} == UPLOADS


def test_pages_that_take_files_accept_the_limit_of_uploads(clients):  # noqa: F811
    assert set(statuses(guarded(clients["owner"]), 5 * UNIT + 1).values()) == {413}


def test_a_request_in_chunks_is_told_to_state_its_size(clients):  # noqa: F811
    client = guarded(clients["owner"])
    for name, pattern in ROUTES:
        reply = client.post(address(pattern, name), headers={"transfer-encoding": "chunked"})
        assert reply.status_code == 411
        assert "Content-Length" in reply.text


@pytest.mark.parametrize("path", ["/admin/login/", "/sign-in/"])
def test_signing_in_takes_small_forms_only(path):
    assert send(guarded(Client()), path, UNIT + 1).status_code == 413


def test_an_address_that_does_not_exist_keeps_nothing():
    assert send(guarded(Client()), "/nowhere/", 2 * UNIT).status_code == 404


def test_a_visitor_reads_what_the_limit_is_and_how_to_send_more():
    page = send(guarded(Client()), "/sign-in/", 2 * UNIT)
    assert "You sent 128.0\xa0KB; this site takes up to 64.0\xa0KB at once" in page.text
    assert "Sign in to send more." in page.text


def test_a_token_of_the_api_counts_as_signed_in():
    path = "/api/v1/studies/"
    answer = send(client_of("program"), path, 3 * UNIT + 1)
    assert answer.json()["problems"] == []
    assert "this address takes up to" in answer.json()["detail"]
    refused = send(Client(), path, UNIT + 1, authorization="Token none")
    assert "at once without signing in" in refused.json()["detail"]
