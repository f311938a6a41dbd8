"""The units of systemd start commands that there are, confined, and give them time to stop."""

import shlex
from pathlib import Path

import pytest

from config.management.commands.serve import SECONDS_TO_STOP
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.service_commands import parse_command

UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
PYTHON = "/opt/touchstone/.venv/bin/python"
CONFINED = ("ProtectSystem=strict", "PrivateTmp=yes", "NoNewPrivileges=yes", "ProtectHome=yes")


def _settings(unit: Path) -> list[str]:
    lines = unit.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if "=" in line and not line.startswith("#")]


def _value(unit: Path, name: str) -> str:
    [found] = [line.partition("=")[2] for line in _settings(unit) if line.startswith(f"{name}=")]
    return found


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_starts_a_command_that_there_is(unit: Path) -> None:
    program, manage, *words = shlex.split(_value(unit, "ExecStart"))
    assert (program, manage) == (PYTHON, "manage.py")
    parse_command(words)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_is_confined_to_its_data(unit: Path) -> None:
    assert set(CONFINED) <= set(_settings(unit))
    assert (
        _value(unit, "Environment") == f"TOUCHSTONE_DATA=/var/lib/{_value(unit, 'StateDirectory')}"
    )


def test_serve_has_time_to_stop_what_it_started_and_stops_it_itself() -> None:
    serving = [unit for unit in UNITS if " serve " in _value(unit, "ExecStart")]
    for unit in at_least_one(serving):
        assert int(_value(unit, "TimeoutStopSec")) > SECONDS_TO_STOP
        assert _value(unit, "KillMode") == "mixed"
