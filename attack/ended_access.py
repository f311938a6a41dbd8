"""R13, R22: links, sessions and tokens that were ended or stolen, tried again."""

import re
from collections.abc import Iterator

from attack.browser import Browser
from attack.finding import Line
from attack.people import manage
from attack.site import Site, running_site

PASSWORD = "a cup of cold tea"
PEOPLE = f"""
from django.contrib.auth.models import User
User.objects.create_user("ada", password="{PASSWORD}")
"""
CHANGE = """
import datetime as dt
from django.utils import timezone
from annotation.people.invitations import new_links, revoke
from annotation.models import Annotator
person = Annotator.objects.get(public_id="{who}")
{change}
"""
CHANGES = {
    "a new link": "new_links([person])",
    "the end of the link": "Annotator.objects.filter(pk=person.pk).update("
    "link_expires_at=timezone.now() - dt.timedelta(seconds=1))",
    "shutting out": "revoke(person)",
}
STORED = """
from django.core import serializers
from config.models import ApiToken, Session
print(serializers.serialize("json", [*ApiToken.objects.all(), *Session.objects.all()]))
"""


def replay() -> Iterator[Line]:
    """Go on with what should have ended."""
    with running_site(raters=len(CHANGES)) as site:
        for rater, (what, change) in zip(site.raters, CHANGES.items(), strict=True):
            yield _rated_after(site, rater, what, change)
        manage(site, PEOPLE)
        yield from _signed_in_after(site)
        yield from _tokens(site)


def _rated_after(site: Site, rater: list[str], what: str, change: str) -> Line:
    public_id, token = rater
    browser = Browser(site.port)
    browser.ask("GET", f"/join/{token}/")
    page = f"/rate/{public_id}/"
    before, _ = browser.ask("GET", page)
    manage(site, CHANGE.format(who=public_id, change=change))
    after, _ = browser.ask("GET", page)
    return Line("R13", f"rating after {what}", f"{before} before, {after} after", after == 403)


def _signed_in_after(site: Site) -> Iterator[Line]:
    mine = Browser(site.port)
    mine.sign_in("ada", PASSWORD)
    thief = mine.copied()
    before, _ = thief.ask("GET", "/account/")
    mine.ask("POST", "/sign-out/")
    after, _ = thief.ask("GET", "/account/")
    figure = f"{before} before, {after} after"
    yield Line("R13", "a copied cookie after signing out", figure, (before, after) == (200, 302))


def _tokens(site: Site) -> Iterator[Line]:
    mine = Browser(site.port)
    mine.sign_in("ada", PASSWORD)
    form = {"name": "script", "scope": "read", "days": "30"}
    _, page = mine.ask("POST", "/account/token/", form)
    [key] = re.findall(r'class="secret">(\w+)<', page)
    stored = manage(site, STORED)
    found = [name for name in (key, mine.cookies["sessionid"]) if name in stored]
    figure = f"{len(found)} of 2 as they are"
    yield Line("R22", "a token and a session in the database", figure, not found)
    script = Browser(site.port)
    read, _ = script.ask("GET", "/api/v1/studies/", Authorization=f"Token {key}")
    wrote, _ = script.ask("POST", "/api/v1/studies/", {"slug": "x"}, Authorization=f"Token {key}")
    figure = f"{read} reading, {wrote} writing"
    yield Line("R22", "a token that may read only", figure, (read, wrote) == (200, 403))
