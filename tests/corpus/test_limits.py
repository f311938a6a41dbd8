"""Limits that all processes share: counted in the database, under hashes, and forgotten."""

import datetime as dt

import pytest

from corpus.access.rate_limits import SECONDS_KEPT, Steady, give_back, take
from corpus.models import RateLimit

pytestmark = [pytest.mark.dialect, pytest.mark.django_db]
TWO = Steady(at_once=2, seconds_each=60)
ONE = Steady(at_once=1, seconds_each=600)


def later(seconds: float) -> None:
    for row in RateLimit.objects.all():
        row.at -= dt.timedelta(seconds=seconds)
        row.save()


def test_a_turn_is_taken_of_all_limits_or_of_none():
    assert take((TWO, "a"), (ONE, "b")) == 0
    assert 590 < take((TWO, "a"), (ONE, "b")) <= 600
    assert take((TWO, "a")) == 0
    assert 50 < take((TWO, "a")) <= 60


def test_a_refused_turn_makes_nobody_wait_longer():
    take((ONE, "a"))
    later(300)
    for _ in range(50):
        assert take((ONE, "a")) <= 300
    later(300)
    assert take((ONE, "a")) == 0


def test_a_turn_that_was_rightly_taken_is_given_back():
    take((ONE, "a"), (TWO, "b"))
    give_back("a", "b")
    assert take((ONE, "a")) == 0
    assert take((ONE, "a")) > 0


def test_a_clock_that_was_set_back_locks_nobody_out_for_longer():
    take((ONE, "a"))
    later(-10_000)
    assert take((ONE, "a")) <= 600


def test_names_are_stored_as_hashes_and_removed_after_a_day():
    take((TWO, "ada lovelace"))
    assert "lovelace" not in str(RateLimit.objects.values())
    later(SECONDS_KEPT + 1)
    take((TWO, "somebody else"))
    assert RateLimit.objects.count() == 1
