"""Secrets in addresses stay out of the log, whoever writes the line."""

import logging.config

import pytest
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.django_db
SECRET = "x7Qd-not-for-the-log"


@pytest.fixture
def lines(capfd, monkeypatch):
    """What the configured handler writes, as a served site has it.

    dictConfig closes the handlers of libraries, and that of absl what pytest captures with it.
    """
    monkeypatch.setattr(logging.config, "_clearExistingHandlers", lambda: None)
    root = logging.getLogger()
    before = root.handlers[:], root.level
    logging.config.dictConfig(settings.LOGGING)
    yield lambda: capfd.readouterr().err
    root.handlers[:] = before[0]
    root.setLevel(before[1])


@pytest.mark.parametrize(
    "address",
    [
        *("join", "invitations", "shared", "join-by-code"),
        *("sign-in/ada", "sign-in/reset/MQ"),
    ],
)
def test_a_refused_address_is_logged_without_its_secret(lines, address):
    client = Client(raise_request_exception=False)
    replies = [client.get(f"/{address}/{SECRET}/"), client.post(f"/{address}/{SECRET}/", {})]
    assert any(reply.status_code >= 400 for reply in replies)
    written = lines()
    assert f"/{address}/…/" in written
    assert SECRET not in written
