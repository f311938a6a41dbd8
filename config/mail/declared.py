"""The mail server that the environment declares, and the address of this site in mails."""

import os
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

SECONDS_TO_ANSWER = 10
PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
_ADDRESS = re.compile(r"[^@\s<>]+@[^@\s<>]+|[^<>\r\n]*<[^@\s<>]+@[^@\s<>]+>")


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
