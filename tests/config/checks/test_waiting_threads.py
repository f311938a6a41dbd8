"""Threads of numerical libraries wait asleep, unless the administrator says otherwise."""

import os
import subprocess
import sys

import pytest

from tests.fixtures.machine import ROOT


@pytest.mark.parametrize(
    ("given", "expected"), [({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE")]
)
def test_threads_wait_asleep_before_any_library_loads(given: dict[str, str], expected: str) -> None:
    code = (
        "import sys, config, os; print(os.environ['OMP_WAIT_POLICY'], "
        "bool({'numpy', 'torch', 'sklearn'} & set(sys.modules)))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment | given, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert found.stdout.split() == [expected, "False"]
