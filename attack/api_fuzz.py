"""H3: the API, asked by schemathesis for what its schema allows and for what it does not."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attack.finding import Line
from attack.people import manage
from attack.site import Site, running_site

SECONDS = 60  # Of all roles together.
CHECKS = {"not_a_server_error": "errors 5xx", "ignored_auth": "ignored authentications"}
MADE = """
import json
from django.contrib.auth.models import User
from config.api_tokens import new_token
from corpus.models import Membership, Study
tokens = {}
for role in ("stranger", "researcher", "owner", "administrator"):
    person = User.objects.create_user(role, is_superuser=role == "administrator")
    if role in ("researcher", "owner"):
        Membership.objects.create(study=Study.objects.get(), user=person, role=role)
    tokens[role] = new_token(person, "attack", "write", 1)
print(json.dumps(tokens))
"""
# Otherwise nearly every address would be that of a study that does not exist.
SETTINGS = """
[parameters]
"path.slug" = "load"
"""


def replay() -> Iterator[Line]:
    """Let each role ask for its share of the time; the owner and the administrator write."""
    with running_site() as site:
        tokens: dict[str, str] = {"nobody": ""} | json.loads(manage(site, MADE).splitlines()[-1])
        (site.folder / "schemathesis.toml").write_text(SETTINGS)
        for role, token in tokens.items():
            yield _line(role, _asked(site, token, SECONDS // len(tokens)))


def _asked(site: Site, token: str, seconds: int) -> dict[str, Any]:
    """Return schemathesis's report of one role."""
    report = site.folder / "report.json"
    report.unlink(missing_ok=True)
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "run",
        f"http://127.0.0.1:{site.port}/api/v1/schema/",
        "--checks", ",".join(CHECKS), "--continue-on-failure",
        "--max-time", str(seconds), "--request-timeout", "30",
        "--generation-database", ":memory:",
        "--report", "json", "--report-json-path", str(report),
        *(["--header", f"Authorization: Token {token}"] if token else []),
    ]  # fmt: skip
    ran = subprocess.run(command, cwd=site.folder, capture_output=True, text=True)
    if not report.exists():
        raise SystemExit(ran.stdout + ran.stderr + "schemathesis wrote no report")
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def _line(role: str, report: dict[str, Any]) -> Line:
    asked, tested = report["test_cases"]["generated"], report["operations"]["tested"]
    failed = [f"{each['title']} ×{each['count']}: {each['operations'][:3]}"
              for each in report["failures"]]  # fmt: skip
    figure = f"{asked} cases, {tested} of {report['operations']['total']} operations, "
    figure += "; ".join(failed) or ", ".join(f"0 {name}" for name in CHECKS.values())
    if report["errors"]:
        figure += f"; schemathesis stopped: {report['errors'][:1]}"
    held = asked > 50 and tested == report["operations"]["total"]
    return Line("H3", f"schemathesis, {role}", figure, held and not failed and not report["errors"])
