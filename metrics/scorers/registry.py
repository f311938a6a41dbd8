"""Which metrics there are: ours, and those that other packages bring by an entry point.

Modules of scorers import nothing heavy at their top, so listing metrics is quick.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

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


@cache
def scorers() -> dict[str, type[Scorer]]:
    """Return every scorer by its key. Of two with one key the first is kept: see `collisions`."""
    found: dict[str, type[Scorer]] = {}
    for scorer, _ in _all():
        found.setdefault(scorer.spec.key, scorer)
    return found


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
    words, owners = list(broken()), dict[str, str]()
    for scorer, owner in _all():
        if owners.setdefault(scorer.spec.key, owner) != owner:
            words.append(
                f"{owner} brings a metric {scorer.spec.key!r}, "
                f"which {owners[scorer.spec.key]} has already; it is left out"
            )
    return words


@cache
def own_scorers() -> tuple[type[Scorer], ...]:
    """Return the scorers of this package, in the order in which lists show them."""
    modules = (import_module(f"metrics.scorers.{name}") for name in MODULES)
    return tuple(scorer for module in modules for scorer in module.SCORERS)


@cache
def _all() -> tuple[tuple[type[Scorer], str], ...]:
    """Return scorers with what brought them."""
    found = [(scorer, scorer.__module__) for scorer in own_scorers()]
    for point in entry_points(group=ENTRY_POINTS):
        loaded = _loaded(point)
        if isinstance(loaded, type):
            found.append((loaded, point.value))
    return tuple(found)


def broken() -> list[str]:
    """Return, in words, the entry points that do not load."""
    loaded = (_loaded(point) for point in entry_points(group=ENTRY_POINTS))
    return [each for each in loaded if isinstance(each, str)]


def _loaded(point: EntryPoint) -> type[Scorer] | str:
    try:
        scorer = point.load()
    except Exception as error:  # Whatever a third party's module raises.
        return f"metric {point.name!r} of {point.value} does not load: {error!r}"
    if not (isinstance(scorer, type) and issubclass(scorer, Scorer)):
        return f"metric {point.name!r} of {point.value} is no Scorer"
    return scorer
