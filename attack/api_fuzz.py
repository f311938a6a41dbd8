"""H3: the API, asked by schemathesis for what its schema allows and for what it does not.

`ATTACK_SECONDS` says for how long (60), for all roles together. The server's processes have less
memory than by default: what needs more is a failure.
"""

import json
import os
import resource
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attack.finding import Line
from attack.patience import SECONDS_TO_WAIT
from attack.people import manage
from attack.processes import MemoryWatch, processes
from attack.site import Site, running_site

SECONDS = int(float(os.environ.get("ATTACK_SECONDS", "60")))
MEMORY = 768
"""Mebibytes that a process of the server may write to."""
LIBRARIES = 350
"""Mebibytes of programs that are mapped, which the limit does not count."""
ROLES = ("nobody", "stranger", "researcher", "owner", "administrator")
CHECKS = {
    "not_a_server_error": "errors 5xx",
    "ignored_auth": "ignored authentications",
    "content_type_conformance": "answers of another kind",
    "response_schema_conformance": "answers against the schema",
}
MADE = """
import json
from django.contrib.auth.models import User
from django.core.management import call_command
from config.api_tokens import new_token
from corpus.exports.service import ask_for_export
from corpus.models import Membership, Study
call_command("import_study", "demo/formality-demo", verbosity=0)
study, tokens = Study.objects.get(slug="formality-demo"), {}
for role in ("stranger", "researcher", "owner", "administrator"):
    person = User.objects.create_user(role, is_superuser=role == "administrator")
    if role in ("researcher", "owner"):
        Membership.objects.create(study=study, user=person, role=role)
    tokens[role] = new_token(person, "attack", "write", 1)
print(json.dumps({"tokens": tokens, "job": ask_for_export(study, person).pk}))
"""
SCHEMA = "schema.json"
# Otherwise nearly every address would be that of a study that does not exist.
SETTINGS = """
[parameters]
"path.slug" = "formality-demo"
"path.id" = {job}
"""


@dataclass(frozen=True)
class Fuzzed:
    """What schemathesis found as one role.

    Attributes
    ----------
    role
    asked
        The number of its requests.
    tested, operations
        How many operations of the API it asked for, and how many there are.
    failures
        In words; what keeps schemathesis from going on is one too.
    """

    role: str
    asked: int
    tested: int
    operations: int
    failures: list[str]

    @property
    def is_complete(self) -> bool:
        """Whether each operation was asked; what was found on the way counts anyhow."""
        return bool(self.tested == self.operations or self.failures)


def replay() -> Iterator[Line]:
    """Let each role ask for its share of the time; the owner and the administrator write."""
    with fuzzed_site() as (site, people), MemoryWatch(site) as memory:
        for role in ROLES:
            seconds = SECONDS // len(ROLES)
            found = fuzz(site, role, people[role], "--max-time", str(seconds))
            while not found.is_complete and seconds < SECONDS_TO_WAIT:
                seconds *= 2
                found = fuzz(site, role, people[role], "--max-time", str(seconds))
            figure = f"{found.asked} cases, {found.tested} of {found.operations} operations, "
            figure += "; ".join(found.failures) or ", ".join(
                f"0 {name}" for name in CHECKS.values()
            )
            held = found.asked > 50 and found.tested == found.operations and not found.failures
            yield Line("H3", f"schemathesis, {role}", figure, held)
    held = 0 < memory.most < MEMORY + LIBRARIES
    yield Line("H3", "memory of the server meanwhile", f"at most {memory.most} MiB", held)


@contextmanager
def fuzzed_site() -> Iterator[tuple[Site, dict[str, str]]]:
    """Serve the demo with bounded memory; give the token of each role, none for nobody."""
    with running_site(items=20) as site:
        for process in processes(site):
            resource.prlimit(process, resource.RLIMIT_DATA, (MEMORY << 20, MEMORY << 20))
        made = json.loads(manage(site, MADE).splitlines()[-1])
        (site.folder / "schemathesis.toml").write_text(SETTINGS.format(**made))
        # schemathesis itself waits for ten seconds, too few for a loaded machine.
        address = f"http://127.0.0.1:{site.port}/api/v1/schema/?format=json"
        with urllib.request.urlopen(address, timeout=SECONDS_TO_WAIT) as schema:
            (site.folder / SCHEMA).write_bytes(schema.read())
        yield site, {"nobody": ""} | made["tokens"]


def fuzz(site: Site, role: str, token: str, *options: str) -> Fuzzed:
    """Run schemathesis as one role, bounded by options."""
    report = site.folder / "report.json"
    report.unlink(missing_ok=True)
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "run",
        SCHEMA, "--url", f"http://127.0.0.1:{site.port}",
        "--checks", ",".join(CHECKS), "--continue-on-failure",
        "--request-timeout", str(SECONDS_TO_WAIT), "--generation-database", ":memory:",
        "--report", "json", "--report-json-path", str(report), *options,
        *(["--header", f"Authorization: Token {token}"] if token else []),
    ]  # fmt: skip
    ran = subprocess.run(command, cwd=site.folder, capture_output=True, text=True)
    if not report.exists():
        raise RuntimeError(f"schemathesis wrote no report: {ran.stderr[-200:]}")
    found: dict[str, Any] = json.loads(report.read_text())
    if not found["operations"]:
        raise RuntimeError(f"schemathesis asked for nothing: {found['errors']}")
    failures = [
        f"{each['title']} ×{each['count']}: {each['operations'][:3]}" for each in found["failures"]
    ]
    failures += [f"schemathesis stopped: {error}" for error in found["errors"]]
    operations = found["operations"]
    return Fuzzed(
        role, found["test_cases"]["generated"], operations["tested"], operations["total"], failures
    )
