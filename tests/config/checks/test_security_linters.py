"""What bandit tests is tested by ruff's rules or by bandit itself."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.fixtures.machine import ROOT

LISTED = """
import json
from bandit.core.extension_loader import MANAGER
names = [plugin.plugin._test_id for plugin in MANAGER.plugins]
print(json.dumps(names + [each["id"] for kind in MANAGER.blacklist.values() for each in kind]))
"""
SAME = {"B703": "S308"}


def _printed(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_bandit_runs_what_the_rules_of_ruff_lack() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert "S" in project["ruff"]["lint"]["select"]
    ruff = str(Path(sys.executable).parent / "ruff")
    rules = json.loads(_printed(ruff, "rule", "--all", "--output-format", "json"))
    stable = {rule["code"] for rule in rules if "Stable" in rule["status"]}
    tests = set(json.loads(_printed(sys.executable, "-c", LISTED)))
    assert len(tests) > 70
    lacking = {test for test in tests if SAME.get(test, "S" + test[1:]) not in stable}
    assert set(project["bandit"]["tests"]) == lacking
