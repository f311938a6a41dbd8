"""`make attack` runs whole: an attack that breaks off or is slow stops no other."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from attack.__main__ import found_by, settled
from attack.finding import Line
from attack.isolated import BROKE_OFF, Try, tried
from attack.outcome import OUTCOME, PAGE, keep, kept, written
from attack.patience import in_time, waited_in_vain
from attack.record import FINDINGS
from attack.report import of_findings, of_held
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

MADE = "tests.fixtures.made_attacks"


def last(module: str, longest: float) -> Try:
    *_, found = tried(f"{MADE}.{module}", longest)
    return found


def ended(process: int) -> bool:
    """Wait for a process that was killed; one that nobody has waited for is a zombie."""
    for _ in range(300):
        try:
            status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
        except (FileNotFoundError, ProcessLookupError):
            return True
        if status.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.1)
    return False


def test_an_attack_that_hangs_is_ended_with_all_that_it_started() -> None:
    found = last("hanging", 5)
    first, broken = found.lines
    assert found.again
    assert (first.held, broken.what, broken.state) == (True, BROKE_OFF, "OPEN")
    assert ended(int(first.figure))


def test_an_attack_that_fails_is_reported_and_not_tried_again() -> None:
    found = last("broken", 60)
    door, broken = found.lines
    assert not found.again
    assert door == Line("R2", "a door", "open", held=False)
    assert broken.figure == "KeyError: 'a fault of the attack'"


def test_an_attack_that_waited_in_vain_twice_is_open(capfd: pytest.CaptureFixture[str]) -> None:
    door, broken = found_by(f"{MADE}.late", 60)
    assert door.state == "held"
    assert (broken.finding, broken.what, broken.state) == ("late", BROKE_OFF, "OPEN")
    assert capfd.readouterr().out.count("tried a second time") == 1


def test_slow_once_is_no_finding_and_slow_twice_is_one() -> None:
    quick = Line("R5", "a page", "1 s", held=True)
    slow = Line("R5", "a page", "9 s", held=True, in_time=False)
    assert [line.state for line in settled(Try([slow]), Try([quick]))] == ["held"]
    assert [line.state for line in settled(Try([slow]), Try([slow]))] == ["OPEN"]


def test_what_was_found_open_stays_open_whatever_a_second_try_says() -> None:
    lost = Line("H1", "ratings", "1 lost", held=False)
    slow = Line("H1", "a page", "9 s", held=True, in_time=False)
    quick = Line("H1", "a page", "1 s", held=True)
    assert lost in settled(Try([lost, slow]), Try([quick, quick]))


def test_a_time_is_compared_with_that_of_a_harmless_request() -> None:
    assert in_time(4, 5, 0.1)
    assert in_time(9, 5, 3)
    assert not in_time(9, 5, 0.1)


def test_only_waiting_counts_as_having_waited_in_vain() -> None:
    assert waited_in_vain(subprocess.TimeoutExpired("manage.py", 600))
    assert not waited_in_vain(ConnectionResetError("the server has ended"))


def test_the_page_is_written_of_what_was_kept_and_no_finding_is_open() -> None:
    lines = kept()
    assert PAGE.read_text(encoding="utf-8") == written(lines)
    assert {state for _, state, _, _, _ in of_findings(lines)} == {"held"}
    assert {state for state, _, _, _ in of_held(lines)} == {"held", "make test"}
    for finding in at_least_one(FINDINGS):
        assert f"| **{finding}** " in written(lines)


def test_an_attack_that_ran_alone_takes_the_place_of_what_it_found_before(tmp_path: Path) -> None:
    outcome, page = tmp_path / "outcome.json", tmp_path / "attacks.md"
    outcome.write_bytes(OUTCOME.read_bytes())
    keep({"digits": [Line("R16", "numbers", "1 of 2 | changed", held=False)]}, outcome, page)
    assert list(kept(outcome)) == list(kept())
    assert "| OPEN | `digits` | OPEN: numbers: 1 of 2 \\| changed |" in page.read_text("utf-8")


def test_attacks_that_can_be_named_are_listed() -> None:
    command = [sys.executable, "-m", "attack", "--list"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.search("^patterns +R5: a pattern of system names", said, re.MULTILINE)
