"""A site under faults that a seed draws loses nothing, and shows nobody what is not theirs."""

import os

import pytest

from attack.history.run import run_history

SEED = 316
ENOUGH = 20


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [25, pytest.param(600, marks=pytest.mark.nightly)])
def test_a_site_under_faults_keeps_every_promise(tmp_path, seconds):
    server = os.environ.get("DATABASE_URL", "")
    postgres = server if server.startswith("postgres") else ""
    account = run_history(tmp_path, SEED, seconds, postgres)
    assert account.violations == []
    assert account.failures == []
    assert account.acknowledged > ENOUGH
    assert account.faults["server killed"]
