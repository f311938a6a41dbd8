"""The server killed under twenty annotators: every acknowledged rating is there."""

import pytest

from attack.killed_server import ANNOTATORS, rate_and_kill

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]


@pytest.mark.parametrize("kills", [1, pytest.param(5, marks=pytest.mark.nightly)])
def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path, kills):
    found = rate_and_kill(tmp_path, kills)
    assert found.errors == []
    assert found.acknowledged > 100
    assert found.lost == 0
    # Each annotator may have one answer on its way that was stored and not acknowledged.
    assert found.unacknowledged <= ANNOTATORS
    assert found.doubled == 0
    assert found.over_rated == 0
    assert found.incomplete == 0
    assert found.integrity == "ok"
