"""R1: paths of the server as parameters of metrics, sent by the owner of a study."""

import http.client
import json
import secrets
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from attack.finding import Line
from attack.patience import SECONDS_TO_WAIT
from attack.site import Site, running_site
from benchmarks.rating_load import ROOT, environment

SETUP = """
from django.contrib.auth.models import User
from config.api_tokens import new_token
from corpus.models import Membership, Study
owner = User.objects.create_user("owner")
Membership.objects.create(user=owner, study=Study.objects.get(slug="load"), role="owner")
print(new_token(owner, "attack", "write", 1))
"""
RUNS = "/api/v1/studies/load/runs/"


class Owner:
    """Somebody with a token, who remembers all that was answered."""

    def __init__(self, site: Site) -> None:
        made = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v0", "-c", SETUP],
            cwd=ROOT, env=environment(site.folder), check=True, capture_output=True, text=True,
        )  # fmt: skip
        self.port, self.token, self.answers = site.port, made.stdout.split()[-1], ""

    def ask(self, method: str, path: str, data: Any = None) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_WAIT)
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(data) if data else None, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        self.answers += text
        return answer.status, text


def replay() -> Iterator[Line]:
    """Name files and folders of the server in every text parameter of every metric."""
    with running_site() as site:
        owner, secret = Owner(site), secrets.token_urlsafe(50)
        closed = site.folder / "closed"
        closed.mkdir()
        for name in ("secret_key", "config.json"):
            (closed / name).write_text(secret)
        sent, told_apart = 0, []
        metrics = json.loads(owner.ask("GET", "/api/v1/metrics/")[1])
        for metric in metrics:
            for parameter in metric["parameters"]:
                if parameter["type"] != "string":
                    continue
                seen = set()
                for path in (closed / "secret_key", closed, closed / "absent", "/proc/self"):
                    run = {"metric": metric["key"], "parameters": {parameter["name"]: str(path)}}
                    status, text = owner.ask("POST", RUNS, {"runs": [run]})
                    seen.add((status, text.replace(str(path), "…")))
                    sent += 1
                if len(seen) > 1 and all(status != 202 for status, _ in seen):
                    told_apart.append(f"{metric['key']} {parameter['name']}")
        owner.ask("GET", RUNS)
        shown = sum(secret[start : start + 6] in owner.answers for start in range(len(secret) - 5))
        figure = f"{sent} requests, {shown} pieces of the secret shown, paths told apart by "
        figure += f"{', '.join(told_apart) or 'none'}"
        yield Line("R1", "paths in parameters of metrics", figure, not (shown or told_apart))
