"""How somebody may leave: outcomes, completion codes, and addresses that lead back to a panel."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit


class Outcome(StrEnum):
    """How somebody left."""

    FINISHED = "finished"
    SCREENED_OUT = "screened_out"
    FAILED_CHECKS = "failed_checks"
    NO_CONSENT = "no_consent"
    STOPPED = "stopped"
    NOTHING_LEFT = "nothing_left"
    PAUSED = "paused"


@dataclass(frozen=True)
class Described:
    """An outcome in words.

    Parameters
    ----------
    title
    when
        Who leaves like this.
    label
        Which label to choose for the code in Prolific's study form.
    action
        Which action to choose there, and why.
    """

    title: str
    when: str
    label: str
    action: str


DESCRIBED = {
    Outcome(name): Described(**words)
    for name, words in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}
"""Every outcome, in the order in which they are listed."""


PROLIFIC_RETURN = "https://app.prolific.com/submissions/complete"
PROLIFIC_HOSTS = ("app.prolific.com", "app.prolific.co")
PLACEHOLDERS = ("participant", "study", "session", "code")
LONGEST = 500
_CODE = re.compile(r"[A-Za-z0-9_-]{4,40}")
_HOLE = re.compile(r"\{([^{}]*)\}")


def checked(text: str) -> str:
    """Return a completion code or return address as it is stored.

    An address of Prolific's with a code is stored as the code.

    Raises
    ------
    ValueError
        If it is neither a code nor a safe address.
    """
    text = text.strip()
    if "://" not in text:
        if not _CODE.fullmatch(text):
            raise ValueError(
                "a code has 4 to 40 letters, digits, hyphens and underscores; an address begins "
                "with https://"
            )
        return text
    _check_address(text)
    parts = urlsplit(text)
    if parts.hostname in PROLIFIC_HOSTS and (codes := parse_qs(parts.query).get("cc")):
        return checked(codes[0])
    return text


def is_address(stored: str) -> bool:
    """Whether what is stored for an outcome is a return address, not a code."""
    return "://" in stored


def prolific_address(code: str) -> str:
    """Return the address that tells Prolific that somebody ended with a code."""
    return f"{PROLIFIC_RETURN}?cc={quote(code, safe='')}"


def filled(address: str, values: Mapping[str, str]) -> str:
    """Return an address with what is known of one person in the place of its names."""
    return _HOLE.sub(lambda hole: quote(values.get(hole[1], ""), safe=""), address)


def _check_address(text: str) -> None:
    if len(text) > LONGEST or not text.isprintable() or re.search(r"[\s\\\"<>]", text):
        raise ValueError(f"an address has no blanks or quotes and at most {LONGEST} characters")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError("this is not an address") from None
    if parts.scheme != "https":
        raise ValueError("the address must begin with https://")
    if not host or parts.username is not None or parts.password is not None:
        raise ValueError("the address needs the name of a server, without a user or password")
    if "{" in parts.netloc or "}" in parts.netloc:
        raise ValueError("the name of the server cannot depend on who comes")
    unknown = [name for name in _HOLE.findall(text) if name not in PLACEHOLDERS]
    if unknown or re.search(r"[{}]", _HOLE.sub("", text)):
        known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        raise ValueError(f"in braces an address may have {known}")
