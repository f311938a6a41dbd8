"""Settings come from the environment, are documented one by one, and refuse nonsense."""

import ast
import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.machine import ROOT

ROOMS = ("config", "corpus", "annotation", "metrics", "analysis", "demo")
READERS = {"os.environ.get", "_flag", "_words", "_number", "Registered"}


def variables_in(path):
    """Names of the environment variables that a module reads."""
    text = path.read_text(encoding="utf-8")
    if not any(f"{reader}(" in text for reader in READERS) and "os.environ[" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in READERS:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
            yield ast.literal_eval(node.slice)


def test_every_variable_that_is_read_is_in_the_table_and_no_other():
    read = {
        name
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for name in variables_in(path)
    }
    table = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `([A-Z_]+)` \|", table, flags=re.MULTILINE)
    assert sorted(documented) == sorted(read)


@pytest.fixture
def read_settings(empty_environment):
    """Read settings in a process of its own, as a start would; JSON of some of them."""

    def read(*names, **variables):
        code = (
            "import json, sys\nfrom config import settings\n"
            "values = {name: getattr(settings, name) for name in sys.argv[1:]}\n"
            "print(json.dumps(values, default=str))"
        )
        result = subprocess.run(
            [sys.executable, "-c", code, *names],
            cwd=ROOT,
            env=empty_environment | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise ValueError(result.stderr.splitlines()[-1])
        return json.loads(result.stdout)

    return read


def test_the_defaults_are_safe(read_settings):
    names = ("DEBUG", "ALLOWED_HOSTS", "BEHIND_PROXY", "SESSION_COOKIE_SECURE")
    assert read_settings(*names, DATABASE_URL="") == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
        "BEHIND_PROXY": False,
        "SESSION_COOKIE_SECURE": False,
    }


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("DEBUG", "maybe", "DEBUG='maybe': expected one of 1, 0, true, false, yes, no"),
        ("JOB_LEASE_SECONDS", "0", "JOB_LEASE_SECONDS='0': expected a whole number from 1 on"),
        (
            "TOUCHSTONE_MODELS",
            "gpt2=/srv/gpt2,/srv/other",
            "TOUCHSTONE_MODELS: found '/srv/other', expected NAME=/ABSOLUTE/PATH or NAME=OWNER/"
            "MODEL of the hub, separated by commas",
        ),
        ("TOUCHSTONE_WORD_VECTORS", "glove=/a.txt", "the name 'glove' is given already"),
    ],
)
def test_nonsense_stops_the_start_and_says_what_was_expected(
    read_settings, variable, value, message
):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_settings(**{variable: value})


def test_the_secret_key_is_made_once_and_readable_by_its_owner_only(
    read_settings, empty_environment
):
    first = read_settings("SECRET_KEY")
    assert len(first["SECRET_KEY"]) >= 50
    assert read_settings("SECRET_KEY") == first
    path = Path(empty_environment["TOUCHSTONE_DATA"]) / "secret_key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    given = "8f14e45fceea167a5a36dedd4bea2543"
    assert read_settings("SECRET_KEY", SECRET_KEY=given) == {"SECRET_KEY": given}


def test_the_database_is_chosen_by_its_address(read_settings):
    sqlite = read_settings("DATABASES", DATABASE_URL="")["DATABASES"]["default"]
    assert sqlite["ENGINE"] == "config.database.sqlite"
    assert sqlite["NAME"].endswith("touchstone.sqlite3")
    url = "postgres://ada:secret@db.example.org:5433/studies"
    postgresql = read_settings("DATABASES", DATABASE_URL=url)["DATABASES"]["default"]
    assert postgresql["ENGINE"] == "config.database.postgresql"
    assert (postgresql["HOST"], postgresql["PORT"], postgresql["NAME"]) == (
        "db.example.org",
        5433,
        "studies",
    )


def test_production_settings_pass_djangos_own_deployment_check(empty_environment):
    result = subprocess.run(
        [
            *(sys.executable, "manage.py", "check", "--deploy", "--tag", "security"),
            *("--fail-level", "WARNING"),
        ],
        cwd=ROOT,
        env=empty_environment
        | {"HTTPS": "1", "BEHIND_PROXY": "1", "ALLOWED_HOSTS": "touchstone.example.org"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
