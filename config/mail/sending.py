"""Sending a mail without anybody waiting for it."""

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string

# Few, so that a mail server that hangs takes no more of this process.
_SENDERS = ThreadPoolExecutor(2, "mail")
_LOG = logging.getLogger(__name__)


def site_address(path: str = "") -> str:
    """Return the address of a page for a mail, where mail is set."""
    return f"{settings.MAIL.site if settings.MAIL else ''}{path}"


def send_later(
    template: str, subject: str, recipient: str, context: dict[str, Any]
) -> Future[None]:
    """Send a mail from a thread: how long an answer takes says nothing about who has an account.

    Parameters
    ----------
    template
        Name of the text.
    subject
    recipient
        Address.
    context
        What the text is about; it must ask the database for nothing.
    """
    return _SENDERS.submit(_send, template, subject, recipient, context)


def _send(template: str, subject: str, recipient: str, context: dict[str, Any]) -> None:
    text = render_to_string(template, context | {"site": site_address()})
    try:
        EmailMessage(subject, text, None, [recipient]).send()
    except OSError as error:
        # Messages of a mail server may quote the address.
        _LOG.error("A mail (%s) could not be sent: %s", template, type(error).__name__)
