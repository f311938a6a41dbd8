"""Codes of authenticator apps, and recovery codes for who has lost one."""

import base64
import hashlib
import secrets

import pyotp
import segno
from django.utils.crypto import salted_hmac
from django.utils.safestring import SafeString, mark_safe
from pyotp.exceptions import OTPVerificationError

STEPS_OFF = 1
"""Clocks of phones may differ by a time step (30 s), and typing takes time."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
RECOVERY_CODES = 10


def new_seed() -> str:
    """Return what a key is made of, with the secret key of the site."""
    return secrets.token_hex(16)


def key_of(person_id: int, seed: str) -> str:
    """Return the key that app and site share, in Base32.

    It is computed and never stored: who reads a copy of the database makes no codes with it.
    """
    made = salted_hmac("config.second_factor", f"{person_id} {seed}", algorithm="sha256")
    return base64.b32encode(made.digest()[:20]).decode()


def step_of(key: str, code: str, at: float) -> int | None:
    """Return the time step that a code belongs to, if it is of about this time.

    Parameters
    ----------
    key
        In Base32.
    code
        Six digits.
    at
        Seconds since 1970.
    """
    try:
        return pyotp.TOTP(key).verify_and_get_timecode(code, for_time=at, valid_window=STEPS_OFF)
    except OTPVerificationError:
        return None


def address_for_app(key: str, name: str, issuer: str) -> str:
    """Return what the picture says to an app."""
    return pyotp.TOTP(key).provisioning_uri(name=name, issuer_name=issuer)


def picture(address: str) -> SafeString:
    """Return a QR code as SVG, made here."""
    drawn = segno.make(address, micro=False, error="m").svg_inline(
        border=4, light="white", omitsize=True, title="QR code for the authenticator app"
    )
    return mark_safe(drawn)  # noqa: S308  (segno escapes the title)


def new_recovery_codes() -> list[str]:
    """Return codes of 79 bits each, so that a plain hash of one says nothing of it."""
    return [
        "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))
        for _ in range(RECOVERY_CODES)
    ]


def as_typed(text: str) -> str:
    """Return a code without what people type between its parts.

    Examples
    --------
    >>> as_typed("123 456"), as_typed("ABCD-efgh-jkmn-pqrs ")
    ('123456', 'abcdefghjkmnpqrs')
    """
    return "".join(text.split()).replace("-", "").lower()


def fingerprint(code: str) -> str:
    """Return the hash by which a recovery code is stored."""
    return hashlib.sha256(as_typed(code).encode()).hexdigest()
