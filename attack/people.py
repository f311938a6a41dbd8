"""People who sign in to the site that is attacked, and send its forms as a browser would."""

import http.cookiejar
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from typing import NamedTuple

from attack.patience import SECONDS_TO_WAIT
from attack.site import Site
from benchmarks.rating_load import ROOT, environment
from tests.fixtures.html_forms import fields_of

BOUNDARY = b"between-the-parts-of-a-form"
SIGN_IN = """
from django.contrib.auth.models import User
from config.sign_in import one_time_path
from corpus.models import Membership, Study
person, _ = User.objects.get_or_create(username="{name}")
study = Study.objects.get(slug="{study}")
Membership.objects.get_or_create(study=study, user=person, role="{role}")
print(one_time_path(person))
"""


class Reply(NamedTuple):
    """What the site answered."""

    status: int
    text: str
    address: str


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
        fields: dict[str, list[str]] = fields_of(self.get(path).text, having)
        return fields

    def post(self, path: str, fields: dict[str, list[str]]) -> Reply:
        return self.send(path, urllib.parse.urlencode(fields, doseq=True).encode())

    def upload(self, path: str, name: str, content: bytes, **fields: str) -> Reply:
        """Send a form with one file; return the page that follows."""
        kinds = {f'name="{key}"': value.encode() for key, value in fields.items()}
        kinds[f'name="files"; filename="{name}"'] = content
        parts = [
            b"--%b\r\nContent-Disposition: form-data; %b\r\n\r\n%b\r\n"
            % (BOUNDARY, kind.encode(), value)
            for kind, value in kinds.items()
        ]
        body = b"".join([*parts, b"--%b--\r\n" % BOUNDARY])
        return self.send(path, body, f"multipart/form-data; boundary={BOUNDARY.decode()}")

    def send(
        self, path: str, body: bytes, kind: str = "application/x-www-form-urlencoded"
    ) -> Reply:
        token = [str(each.value) for each in self.jar if each.name == "csrftoken"]
        headers = {"Content-Type": kind, "X-CSRFToken": "".join(token)}
        return self._ask(urllib.request.Request(self.base + path, body, headers))

    def _ask(self, request: urllib.request.Request) -> Reply:
        try:
            with self.opener.open(request, timeout=SECONDS_TO_WAIT) as reply:
                return Reply(reply.status, reply.read().decode(), reply.url.removeprefix(self.base))
        except urllib.error.HTTPError as refused:
            return Reply(refused.code, refused.read().decode(), refused.url.removeprefix(self.base))


def signed_in(site: Site, name: str, role: str, study: str = "load") -> Person:
    """Return a member of the study, signed in by a link."""
    person = Person(site)
    link = manage(site, SIGN_IN.format(name=name, role=role, study=study)).splitlines()[-1]
    person.get(link)
    person.post(link, {})
    return person


def manage(site: Site, code: str) -> str:
    """Run code on the machine of the site and return what it prints."""
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    env = environment(site.folder)
    ran = subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True)
    return ran.stdout.strip()
