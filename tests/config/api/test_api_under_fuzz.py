"""Whatever five roles ask of the API, it answers in the form of its schema, in bounded memory.

Schemathesis asks for what the schema allows and for what it does not. The processes of the server
have less memory than by default: what needs more is a failure.
"""

import json
import os
import re
import resource
import subprocess
import sys
import threading
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from tests.fixtures.served_sites import family, free_port, kill, manage, serve

SECONDS = os.environ.get("FUZZ_SECONDS", "120")
PATIENCE = 600
MEMORY = 768
"""Mebibytes that a process of the server may write to."""
LIBRARIES = 350
"""Mebibytes of programs that are mapped, which the limit does not count."""
ROLES = ("nobody", "stranger", "researcher", "owner", "administrator")
CHECKS = "not_a_server_error,ignored_auth,content_type_conformance,response_schema_conformance"
MADE = """
import json
from django.contrib.auth.models import User
from django.core.management import call_command
from config.accounts.tokens import new_token
from corpus.exports.run import ask_for_export
from corpus.models import Membership, Study
call_command("import_study", "demo/formality-demo", verbosity=0)
study, tokens = Study.objects.get(slug="formality-demo"), {"nobody": ""}
for role in ("stranger", "researcher", "owner", "administrator"):
    person = User.objects.create_user(role, is_superuser=role == "administrator")
    if role in ("researcher", "owner"):
        Membership.objects.create(study=study, user=person, role=role)
    tokens[role] = new_token(person, "fuzz", "write", 1)
print(json.dumps([tokens, ask_for_export(study, person).pk]))
"""
# Otherwise nearly every address would be that of a study that does not exist.
SETTINGS = '[parameters]\n"path.slug" = "formality-demo"\n"path.id" = {}\n'
PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


class MemoryWatch(threading.Thread):
    """Remember the most mebibytes that one process of a server has had."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.most, self.stopped = server, 0, threading.Event()

    def run(self):
        while not self.stopped.wait(0.1):
            for process in family(self.server.pid):
                with suppress(OSError):
                    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
                    self.most = max(self.most, int(PEAK.search(status)[1]) >> 10)


@pytest.fixture
def site(tmp_path):
    """The demo on a server of bounded memory: its port, tokens by role, and its memory."""
    manage(tmp_path, "migrate", "-v0")
    tokens, job = json.loads(manage(tmp_path, "shell", "-v0", "-c", MADE).splitlines()[-1])
    (tmp_path / "schemathesis.toml").write_text(SETTINGS.format(job), encoding="utf-8")
    port = free_port()
    server = serve(tmp_path, port)
    for process in family(server.pid):
        resource.prlimit(process, resource.RLIMIT_DATA, (MEMORY << 20, MEMORY << 20))
    # Schemathesis itself waits for ten seconds, too few for a busy machine.
    address = f"http://127.0.0.1:{port}/api/v1/schema/?format=json"
    with urllib.request.urlopen(address, timeout=PATIENCE) as schema:
        (tmp_path / "schema.json").write_bytes(schema.read())
    watch = MemoryWatch(server)
    watch.start()
    yield port, tokens, watch
    watch.stopped.set()
    watch.join()
    kill(server)


def fuzz(folder, port, token):
    """Run schemathesis as one role; return what it reports."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    command = [
        Path(sys.executable).parent / "schemathesis", "run",
        "schema.json", "--url", f"http://127.0.0.1:{port}",
        "--checks", CHECKS, "--continue-on-failure",
        "--request-timeout", str(PATIENCE), "--generation-database", ":memory:",
        "--report", "json", "--report-json-path", report, "--max-time", SECONDS,
        *(["--header", f"Authorization: Token {token}"] if token else []),
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert report.exists(), done.stderr[-200:]
    return json.loads(report.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.sqlite
@pytest.mark.nightly
def test_no_role_finds_an_error_of_the_server(tmp_path, site):
    port, tokens, memory = site
    for role in ROLES:
        found = fuzz(tmp_path, port, tokens[role])
        assert (role, found["failures"], found["errors"]) == (role, [], [])
        # All were asked for, by each role.
        operations = found["operations"]
        assert 0 < operations["tested"] == operations["total"] <= found["test_cases"]["generated"]
    assert 0 < memory.most < MEMORY + LIBRARIES
