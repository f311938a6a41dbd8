"""One step of a benchmark: what it makes, and when it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from config.benchmark.ledger import digest
from corpus.progress import ProgressCallback


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
    run: Callable[[ProgressCallback | None], str]


def short(row: Mapping[str, Any]) -> str:
    """Tell rows of one kind apart, whatever their order."""
    others = {name: value for name, value in row.items() if name not in ("kind", "writer")}
    return f"[{digest(others)[:6]}]" if len(row) > 1 else ""
