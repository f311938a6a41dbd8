"""Pages that name modules and tests name what there is; each door has a test that tries it."""

import re

import pytest

from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

PAGE = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["threat-model.md", "architecture.md"])
def test_every_module_and_test_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for path in at_least_one(re.findall(r"`([a-z_]+/[\w/]*(?:\.py)?)`", text)):
        assert (ROOT / path).exists(), path


def test_every_door_names_a_test_or_a_check_that_tries_it() -> None:
    doors = PAGE.split("\n## Doors and what closes them\n")[1].split("\n## ")[0]
    rows = [line for line in doors.splitlines() if line.startswith("| ")]
    rows = [row for row in rows if not row.startswith(("| door |", "| --- |"))]
    shown_by = [row.rpartition(" | ")[2] for row in at_least_one(rows)]
    assert [each for each in shown_by if "test_" not in each and "output" not in each] == []


def test_every_attack_is_in_the_threat_model() -> None:
    attacks = {path.name for path in (ROOT / "tests" / "attacks").glob("test_*.py")}
    assert attacks - {"test_history_checker.py"} == set(
        re.findall(r"tests/attacks/(\w+\.py)", PAGE)
    )
