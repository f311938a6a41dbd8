"""Mail that the site sends, only where EMAIL_URL names a server."""

import logging
import os
import re
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from django.template.loader import render_to_string

SECONDS_TO_ANSWER = 10
PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
_ADDRESS = re.compile(r"[^@\s<>]+@[^@\s<>]+|[^<>\r\n]*<[^@\s<>]+@[^@\s<>]+>")
# Few, so that a mail server that hangs takes no more of this process.
_SENDERS = ThreadPoolExecutor(2, "mail")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Mail:
    """Where mails are handed in, from whom they are, and where their links lead."""

    scheme: str
    host: str
    port: int
    user: str
    password: str
    sender: str
    site: str

    @property
    def django_settings(self) -> dict[str, Any]:
        """Return this as Django calls it."""
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "EMAIL_HOST": self.host,
            "EMAIL_PORT": self.port,
            "EMAIL_HOST_USER": self.user,
            "EMAIL_HOST_PASSWORD": self.password,
            "EMAIL_USE_TLS": self.scheme == "smtp",
            "EMAIL_USE_SSL": self.scheme == "smtps",
            "EMAIL_TIMEOUT": SECONDS_TO_ANSWER,
            "DEFAULT_FROM_EMAIL": self.sender,
        }


def declared_mail() -> Mail | None:
    """Read the mail server; None where there is none.

    Raises
    ------
    ImproperlyConfigured
        If something is missing or makes no sense.
    """
    url, sender = os.environ.get("EMAIL_URL", ""), os.environ.get("EMAIL_FROM", "")
    if not url:
        if sender:
            raise ImproperlyConfigured("EMAIL_FROM is set without EMAIL_URL, the mail server")
        return None
    server = _parts(url)
    # A password may be in it, so the value is not repeated.
    if server is None or server.scheme not in PORTS or server.path not in ("", "/"):
        raise ImproperlyConfigured(
            "EMAIL_URL: expected an address such as smtp://user:password@mail.example.org "
            "(smtp, smtps or smtp+plain)"
        )
    if not _ADDRESS.fullmatch(sender):
        raise ImproperlyConfigured(
            f"EMAIL_FROM={sender!r}: EMAIL_URL needs it, such as touchstone@example.org"
        )
    return Mail(
        scheme=server.scheme,
        host=str(server.hostname),
        port=server.port or PORTS[server.scheme],
        user=unquote(server.username or ""),
        password=unquote(server.password or ""),
        sender=sender,
        site=_site_address(),
    )


def _site_address() -> str:
    """Read where links in mails lead: what a request says of its host can be made up."""
    address = os.environ.get("SITE_ADDRESS", "")
    site = _parts(address)
    if site is None or site.scheme not in ("http", "https") or site.path not in ("", "/"):
        raise ImproperlyConfigured(
            f"SITE_ADDRESS={address!r}: EMAIL_URL needs the address of this site for the links "
            "in mails, such as https://touchstone.example.org"
        )
    return address.rstrip("/")


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.hostname and not parts.query and not parts.fragment else None


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
