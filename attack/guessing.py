"""R20, R21: one address that takes every place, another's identifier, and guessed passwords."""

from collections.abc import Iterator

from attack.browser import Browser
from attack.finding import Line
from attack.people import manage
from attack.site import Site, running_site

PLACES = 50
PASSWORD = "a cup of cold tea"
SETUP = f"""
from django.contrib.auth.models import User
from annotation.models import Annotator, Campaign
Campaign.objects.update(invite_code="KEEN-OTTER")
Annotator.objects.update(token_sha256="", link_expires_at=None)
User.objects.create_user("ada", password="{PASSWORD}")
"""
CODE = "/join-by-code/KEEN-OTTER/"


def replay() -> Iterator[Line]:
    """Take places and guess."""
    with running_site(raters=PLACES) as site:
        manage(site, SETUP)
        yield from _places(site)
        yield from _passwords(site)


def _places(site: Site) -> Iterator[Line]:
    where = f"{CODE}?PROLIFIC_PID=somebody"
    Browser(site.port).ask("GET", where)
    status, _ = Browser(site.port).ask("GET", where)
    yield Line("R20", "another's identifier in the address", f"{status}", status == 403)
    answers = [
        Browser(site.port).ask(
            "GET", f"{CODE}?PROLIFIC_PID=p{number}", X_Forwarded_For=f"192.0.2.{number}"
        )[0]
        for number in range(PLACES)
    ]
    taken = 1 + answers.count(302)
    figure = f"{taken} of {PLACES} places, then {answers[-1]}"
    yield Line("R20", f"{PLACES} people of one address", figure, taken <= 31)


def _passwords(site: Site) -> Iterator[Line]:
    mine = Browser(site.port)
    mine.sign_in("ada", PASSWORD)
    mine.ask("POST", "/sign-out/")
    guesser = Browser(site.port)
    answers = [guesser.sign_in("ada", "wrong") for _ in range(30)]
    looked_at = answers.count(200)
    yield Line("R21", "30 wrong passwords", f"{looked_at} were looked at", looked_at <= 10)
    answers = [guesser.sign_in(f"name-{number}", "wrong") for number in range(60)]
    looked_at = answers.count(200)
    yield Line("R21", "60 names from one address", f"{looked_at} were looked at", looked_at <= 30)
    known = mine.sign_in("ada", PASSWORD)
    yield Line("R21", "the right person in a known browser", f"{known}", known == 302)
    forwarded = Browser(site.port).sign_in("ada", PASSWORD, X_Forwarded_For="198.51.100.7")
    figure = f"{forwarded}"
    yield Line("R21", "the right person behind a proxy not set", figure, forwarded == 302)
