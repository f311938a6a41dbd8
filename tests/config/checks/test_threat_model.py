"""The threat model names what there is: modules, tests and every attack."""

import re

from attack.finding import Line
from attack.isolated import attacks
from attack.record import FINDINGS, HELD
from attack.report import missing, report
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

PAGE = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")


def test_every_module_and_test_that_it_names_is_there() -> None:
    for path in at_least_one(re.findall(r"`([a-z_]+/[\w/]*(?:\.py)?)`", PAGE)):
        assert (ROOT / path).exists(), path


def test_it_names_every_attack() -> None:
    rows = [line.rpartition("attack")[2] for line in PAGE.splitlines() if "| attack" in line]
    rows += [line.rpartition(", attack")[2] for line in PAGE.splitlines() if ", attack" in line]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == set(attacks())


def test_every_finding_has_an_attack_that_speaks_of_it() -> None:
    assert list(FINDINGS) == [f"R{number}" for number in range(1, 26)]
    for finding, (_, name) in FINDINGS.items():
        assert name in attacks()
        assert f'"{finding}"' in (ROOT / "attack" / f"{name}.py").read_text(encoding="utf-8")


def test_what_held_is_shown_by_attacks_and_tests_that_exist() -> None:
    for _, shown_by in HELD:
        path, _, test = shown_by.partition("::")
        found = f"def {test}(" in (ROOT / path).read_text("utf-8") if test else path in attacks()
        assert found, shown_by


def test_a_finding_of_which_its_attack_says_nothing_is_open() -> None:
    lines = {"guessing": [Line("R20", "", "", True)], "digits": [Line("R16", "", "", True)]}
    assert missing(lines) == ["R21"]
    *_, counts = report(lines)
    assert counts.startswith("25 findings: 1 OPEN, 2 held, 22 not tried.")
