"""Which metrics there are: ours, and those that other packages bring by an entry point.

Modules of scorers import nothing heavy at their top, so listing metrics is quick.
"""

from functools import cache

from metrics.plugins import Known, known_classes, own_classes
from metrics.scorers.scorer import Scorer

ENTRY_POINTS = "touchstone.metrics"
MODULES = (
    "style",
    "surface",
    "bleu",
    "chrf",
    "ter",
    "rouge",
    "meteor",
    "encoders",
    "word_vectors",
    "perplexity",
    "acceptability",
    "naturalness",
    "judge",
    "judge_probes",
    "overall",
    "learned",
)
"""Modules of this package that define scorers, in the order in which lists show them."""


class UnknownMetric(LookupError):
    """No metric of this name; the message lists those there are."""


def scorers() -> dict[str, type[Scorer]]:
    """Return every scorer by its key. Of two with one key the first is kept: see `collisions`."""
    return _known().by_key


def scorer_class(key: str) -> type[Scorer]:
    """Return the scorer of a key.

    Raises
    ------
    UnknownMetric
        If there is none.
    """
    try:
        return scorers()[key]
    except KeyError:
        known = ", ".join(scorers())
        raise UnknownMetric(f"no metric {key!r}; there are {known}") from None


def collisions() -> list[str]:
    """Return, in words, which entry points could not be taken, and why."""
    return _known().faults


@cache
def own_scorers() -> tuple[type[Scorer], ...]:
    """Return the scorers of this package, in the order in which lists show them."""
    return own_classes("metrics.scorers", MODULES, "SCORERS")


@cache
def _known() -> Known[type[Scorer]]:
    return known_classes(Scorer, "metric", own_scorers(), ENTRY_POINTS)
