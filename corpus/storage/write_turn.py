"""Turns at writing: one after the other on SQLite, and taken again where two blocked each other.

Rows are locked in one order, so that no two transactions wait for each other: campaigns, then
their set, assignments, items, annotators, the study; several of a kind by primary key. Places at
items are taken and given back only by who holds the campaign.
"""

import fcntl
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction
from django.db.models import Model

from corpus.storage.faults import AWAY, storage_fault

TRIES = 6
MOST_SECONDS = 10.0
_FIRST_PAUSE = 0.02
_SQLSTATES = frozenset({"40001", "40P01"})
"""Serialisation failure and deadlock: the transaction was undone and may be run again."""

P = ParamSpec("P")
T = TypeVar("T")


class Busy(Exception):
    """Others were in the way of a transaction each time it was tried; nothing was stored."""


class Overtaken(Exception):
    """What a transaction read was changed before it wrote; it has to begin again."""


_own = threading.local()
"""Whether this thread, and so its connection, holds the turn."""


@contextmanager
def write_turn() -> Iterator[None]:
    """Hold a write transaction, first come, first served.

    SQLite's own waiting sleeps and tries again, so that under load some wait much longer than
    others. A lock on a file beside the database queues the waiters; it is gone with its process,
    however that ends. PostgreSQL needs no such thing.

    Raises
    ------
    RuntimeError
        If this thread holds the turn already, for which it would wait for ever.
    """
    if connection.vendor != "sqlite":
        with transaction.atomic():
            yield
        return
    if getattr(_own, "held", False):
        raise RuntimeError(
            "write_turn: this thread holds the turn already; write within it, without another one"
        )
    turn = os.open(f"{connection.settings_dict['NAME']}-turn", os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        fcntl.flock(turn, fcntl.LOCK_EX)
        _own.held = True
        with transaction.atomic():
            yield
    finally:
        _own.held = False
        os.close(turn)


def in_write_turn(function: Callable[P, T]) -> Callable[P, T]:
    """Run a function in a write turn, and again where other transactions made it impossible.

    A function that runs within a transaction already is run once: only the whole can be repeated.
    The function must do nothing but write to the database. Fields of model instances among its
    arguments are put back before it runs again.

    Raises
    ------
    Busy
        If it was in vain each time.
    """

    @wraps(function)
    def turned(*args: P.args, **kwargs: P.kwargs) -> T:
        is_outermost = not connection.in_atomic_block
        given = [each for each in (*args, *kwargs.values()) if isinstance(each, Model)]
        before = [dict(vars(each)) for each in given]
        begun = time.monotonic()
        for number in range(TRIES):
            try:
                with write_turn():
                    return function(*args, **kwargs)
            except (OperationalError, Overtaken) as error:
                if not is_outermost or not lost_to_others(error):
                    raise
                if number + 1 == TRIES or time.monotonic() - begun > MOST_SECONDS:
                    raise Busy(str(error)) from error
            for each, fields in zip(given, before, strict=True):
                vars(each).clear()
                vars(each).update(fields)
            time.sleep(_FIRST_PAUSE * 2**number * random.uniform(0.5, 1.5))  # noqa: S311
        raise AssertionError("unreachable")

    return turned


def lost_to_others(error: BaseException) -> bool:
    """Whether a transaction failed only because of others, so that it may succeed later."""
    if isinstance(error, Busy | Overtaken):
        return True
    cause = error.__cause__
    if not isinstance(error, OperationalError):
        return False
    return getattr(cause, "sqlstate", None) in _SQLSTATES or "is locked" in str(error)


def is_passing(error: BaseException) -> bool:
    """Whether the same may succeed a moment later: what failed was the way to the database."""
    fault = storage_fault(error)
    return fault is AWAY or (fault is None and lost_to_others(error))
