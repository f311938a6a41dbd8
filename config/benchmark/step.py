"""One step of a benchmark: what it makes, and when it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from config.benchmark.ledger import digest
from config.benchmark.recipe import leaves
from corpus.progress import ProgressCallback

LONGEST_WORDS = 100


class StepError(Exception):
    """A step that could not be done; the message says why."""


@dataclass(frozen=True)
class Step:
    """One thing to be made.

    Attributes
    ----------
    name
        What is made, for people and for the ledger.
    facts
        All that decides whether what was made before is still what is wanted.
    run
        Makes it and returns in words what came of it.
    """

    name: str
    facts: Callable[[], Any]
    run: Callable[[ProgressCallback], str]


def named(what: str, row: Mapping[str, Any], *said: str) -> str:
    """Return the name of a step: what it makes, and what its row says beyond the keys in `said`.

    Examples
    --------
    >>> named("metric chrf", {"metric": "chrf", "against": "references"}, "metric")
    'metric chrf (against = references)'
    """
    others = {name: value for name, value in row.items() if name not in said}
    words = ", ".join(f"{place} = {value}" for place, value in leaves(others))
    if len(words) > LONGEST_WORDS:
        words = f"{words[:LONGEST_WORDS]}… {digest(others)[:6]}"
    return f"{what} ({words})" if words else what
