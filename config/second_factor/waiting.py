"""A sign-in that waits for a code: who it is, how they came, and where they want to go."""

import time
from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare

from config.models import SecondFactor

KEY = "second_factor"
SECONDS = 600


@dataclass(frozen=True)
class Waiting:
    """Somebody whose password, or link, was right."""

    person: int
    proof: str
    way: str
    following: str
    link: str
    until: float

    def is_still(self, person: User) -> bool:
        """Whether this person may go on: a new password, or the end of an account, ends it."""
        right = constant_time_compare(self.proof, person.get_session_auth_hash())
        return person.is_active and right


def has_second_factor(person: User) -> bool:
    """Whether a password does not suffice."""
    return SecondFactor.objects.filter(user=person).exists()


def ask_for_code(
    request: HttpRequest, person: User, way: str, following: str = "", link: str = ""
) -> HttpResponse:
    """Keep how far somebody came, and lead to the page for the code.

    Parameters
    ----------
    request
    person
    way
        How they came, in the words of the log.
    following
        Where to go afterwards.
    link
        The secret of a link that works once.
    """
    proof = person.get_session_auth_hash()
    waiting = Waiting(person.pk, proof, way, following, link, time.time() + SECONDS)
    request.session[KEY] = asdict(waiting)
    if not request.user.is_authenticated:
        request.session.set_expiry(SECONDS)
    return redirect("sign-in-code")


def who_waits(request: HttpRequest) -> Waiting | None:
    """Return the sign-in that waits in this browser."""
    kept = request.session.get(KEY)
    waiting = Waiting(**kept) if kept else None
    return waiting if waiting and time.time() < waiting.until else None


def wait_no_more(request: HttpRequest) -> None:
    """Forget the sign-in that waited."""
    # A session that somebody is signed in with keeps its own end.
    if request.session.pop(KEY, None) and not request.user.is_authenticated:
        request.session.set_expiry(None)
