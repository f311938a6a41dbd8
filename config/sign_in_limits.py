"""How fast somebody may try passwords.

Mistakes make a name wait in one network, a network wait whatever the name, and a name wait
wherever guesses come from. A browser in which somebody has signed in before counts by itself, so
that nobody is locked out of their own browser by the guesses of others.
"""

import secrets
import unicodedata
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from corpus.client_address import client_network, forwarded_unasked
from corpus.limits import Doubling, Limit, Steady, forget, give_back, take

OF_A_NAME_IN_A_NETWORK = Doubling(free=5, first=5, longest=900)
OF_CODES_OF_A_NAME = Doubling(free=5, first=5, longest=3600)
OF_A_NETWORK = Steady(at_once=20, seconds_each=30)
OF_A_NAME = Steady(at_once=30, seconds_each=60)
OF_ALL_BEHIND_A_PROXY = Steady(at_once=200, seconds_each=3)
MAILS_FOR_A_NETWORK = Steady(at_once=10, seconds_each=360)
MAILS_TO_AN_ADDRESS = Steady(at_once=3, seconds_each=1200)
COOKIE = "known"
SECONDS_KNOWN = 365 * 24 * 3600


@dataclass(frozen=True)
class Attempt:
    """One password tried for a name; `own` counts mistakes in a row, `shared` those of many."""

    own: tuple[Limit, str]
    shared: tuple[tuple[Limit, str], ...]

    def begin(self) -> float:
        """Take a turn, before the password is looked at; return the seconds to wait for one."""
        return take(self.own, *self.shared)

    def succeeded(self) -> None:
        """Let it not count: it was no mistake."""
        forget(self.own[1])
        give_back(*(words for _, words in self.shared))


def attempt_of(request: HttpRequest, name: str) -> Attempt:
    """Return what an attempt to sign in counts against."""
    if nonce := _known_by(request, name):
        return Attempt((OF_A_NAME_IN_A_NETWORK, f"sign-in browser {nonce}"), ())
    network = client_network(request)
    shared: list[tuple[Limit, str]] = [(OF_A_NAME, f"sign-in name {name}")]
    if forwarded := forwarded_unasked(request):
        shared.append((OF_ALL_BEHIND_A_PROXY, f"sign-in proxy {network}"))
        network = f"{network} for {forwarded}"
    shared.append((OF_A_NETWORK, f"sign-in network {network}"))
    return Attempt((OF_A_NAME_IN_A_NETWORK, f"sign-in {network} {name}"), tuple(shared))


def code_attempt_of(request: HttpRequest, name: str) -> Attempt:
    """Return what a code of a second factor counts against.

    Apart from passwords: who has the password would end the wait for codes by signing in halfway.
    """
    nonce = _known_by(request, name)
    return Attempt((OF_CODES_OF_A_NAME, f"code browser {nonce}" if nonce else f"code {name}"), ())


def ask_for_mail(request: HttpRequest, address: str) -> float:
    """Take a turn at having a mail sent, whether or not anybody has the address.

    Returns
    -------
    float
        0, or the seconds until there is one.
    """
    same = unicodedata.normalize("NFKC", address).casefold()
    turns: list[tuple[Limit, str]] = [(MAILS_TO_AN_ADDRESS, f"mail to {same}")]
    network = client_network(request)
    if forwarded := forwarded_unasked(request):
        turns.append((OF_ALL_BEHIND_A_PROXY, f"mail proxy {network}"))
        network = f"{network} for {forwarded}"
    return take(*turns, (MAILS_FOR_A_NETWORK, f"mail network {network}"))


def know_browser(response: HttpResponse, name: str) -> None:
    """Let this browser count by itself from now on when it tries this name."""
    nonce = secrets.token_urlsafe(16)
    response.set_cookie(
        COOKIE,
        f"{nonce}:{_proof(nonce, name)}",
        max_age=SECONDS_KNOWN,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def _known_by(request: HttpRequest, name: str) -> str:
    """Return by what a browser is known in which this name has signed in before, or nothing."""
    nonce, _, proof = request.COOKIES.get(COOKIE, "").partition(":")
    return nonce if nonce and constant_time_compare(proof, _proof(nonce, name)) else ""


def _proof(nonce: str, name: str) -> str:
    return salted_hmac("config.sign_in_limits", f"{nonce} {name}", algorithm="sha256").hexdigest()
