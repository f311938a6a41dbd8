"""People who sign in to the site that is attacked, and send its forms as a browser would."""

import http.cookiejar
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from typing import NamedTuple

from attack.site import Site
from benchmarks.rating_load import ROOT, environment
from tests.html_forms import fields_of

SIGN_IN = """
from django.contrib.auth.models import User
from config.sign_in import one_time_path
from corpus.models import Membership, Study
person, _ = User.objects.get_or_create(username="{name}")
Membership.objects.get_or_create(study=Study.objects.get(), user=person, role="{role}")
print(one_time_path(person))
"""


class Reply(NamedTuple):
    """What the site answered."""

    status: int
    text: str


class Person:
    """Somebody in a browser without scripts."""

    def __init__(self, site: Site) -> None:
        self.base = f"http://127.0.0.1:{site.port}"
        self.jar = http.cookiejar.CookieJar()
        keeping = urllib.request.HTTPCookieProcessor(self.jar)
        self.opener = urllib.request.build_opener(keeping)

    def get(self, path: str) -> Reply:
        return self._ask(urllib.request.Request(self.base + path))

    def form(self, path: str, having: str) -> dict[str, list[str]]:
        """Return the fields of a form as they are on a page."""
        return fields_of(self.get(path).text, having)

    def post(self, path: str, fields: dict[str, list[str]]) -> Reply:
        token = [str(each.value) for each in self.jar if each.name == "csrftoken"]
        fields = {"csrfmiddlewaretoken": token} | fields
        body = urllib.parse.urlencode(fields, doseq=True).encode()
        return self._ask(urllib.request.Request(self.base + path, body))

    def _ask(self, request: urllib.request.Request) -> Reply:
        try:
            with self.opener.open(request, timeout=60) as reply:
                return Reply(reply.status, reply.read().decode())
        except urllib.error.HTTPError as refused:
            return Reply(refused.code, refused.read().decode())


def signed_in(site: Site, name: str, role: str) -> Person:
    """Return a member of the study, signed in by a link."""
    person = Person(site)
    link = manage(site, SIGN_IN.format(name=name, role=role)).splitlines()[-1]
    person.get(link)
    person.post(link, {})
    return person


def manage(site: Site, code: str) -> str:
    """Run code on the machine of the site and return what it prints."""
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    env = environment(site.folder)
    ran = subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True)
    return ran.stdout.strip()
