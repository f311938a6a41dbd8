"""Loops that assert: they must run."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def at_least_one(values: Iterable[T]) -> Iterator[T]:
    """Yield each value; fail if there is none, for then nothing was checked."""
    is_empty = True
    for value in values:
        is_empty = False
        yield value
    assert not is_empty, "the loop ran zero times, and nothing was checked"
