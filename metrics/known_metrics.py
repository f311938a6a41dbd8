"""Published metrics by their names: those of this program, and `known_metrics.csv`.

A metric of this program is known by its key, from its class. Each line of the file has names,
separated by spaces, of metrics of which the same is known:

- ``orientation``: as in the catalogue, or ``penalty`` for one that is published both as a number
  of errors and with a minus sign;
- ``family``, ``aspect``: what it measures, where its name says so;
- ``speaks of``, ``midpoint``: the one style whose presence it measures, and where it is mirrored;
- ``variants``: whether a name that begins (``start``) or also one that ends (``both``) with one of
  the names is the same metric: ``BERTScore-F1_roberta-large`` is BERTScore;
- ``note``: what an import should say of it;
- ``source``: paper or shared task.

Names are compared without regard to case and punctuation, and less what they are compared with:
``COMET-refA`` is COMET.
"""

import csv
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from metrics.scorers.registry import own_scorers
from metrics.scorers.scorer import Scorer

CATALOGUE = Path(__file__).with_name("known_metrics.csv")
PENALTY = "penalty"
_SEPARATORS = re.compile(r"[\s_\-:/()\[\]@|=]+|\.(?!\d)")
_COMPARED_TO = re.compile(r"-(?:synthetic-ref|refs?|ref-?[a-d1-9]|reference|src|source|all)\Z")
_ANOTHER_THING = frozenset(
    [
        *("abs", "bp", "brevity", "change", "corr", "correlation", "count", "delta", "diff"),
        *("difference", "distance", "error", "gain", "gap", "inv", "inverse", "len", "length"),
        *("loss", "minus", "n", "neg", "negated", "negative", "penalty", "pvalue"),
        *("rank", "ranking", "ratio", "sd", "se", "seconds", "std", "stdev", "stderr", "time"),
        *("tokens", "var", "variance"),
    ]
)
"""Words after the name of a metric that make it something else, or turn it round."""


class KnownMetric(NamedTuple):
    """One line of the catalogue."""

    orientation: str
    target: float | None
    family: str
    speaks_of: str
    midpoint: float | None
    aspect: str
    variants: str
    note: str
    source: str


def plain(name: str) -> str:
    """Return a metric's name as it is compared.

    Examples
    --------
    >>> plain("BERTScore F1 (roberta-large)"), plain("metric.precision"), plain("-TER")
    ('bertscore-f1-roberta-large', 'metric-precision', '-ter')
    """
    return _SEPARATORS.sub("-", name.strip().lower().lstrip("*")).rstrip("-")


def found_metric(name: str) -> KnownMetric | None:
    """Return what is known of a metric of this name, or of the one that it is a variant of.

    Examples
    --------
    >>> found_metric("BERTScore-F1_roberta-large").source
    'Zhang et al. 2020'
    >>> found_metric("bleu-brevity-penalty") is None
    True
    """
    return _published(name) or _registered(plain(name))


def _registered(key: str) -> KnownMetric | None:
    """Return what a metric of this program declares; None if only its model knows the style."""
    scorer = next((each for each in own_scorers() if each.spec.key == key), None)
    if scorer is None or scorer.speaks_of is not Scorer.speaks_of:
        return None
    spec = scorer.spec
    family, aspect = (
        ("fluency", "naturalness")
        if spec.aspect == "naturalness"
        else ("" if spec.aspect == "description" else spec.aspect, "")
    )
    return KnownMetric(
        spec.orientation, spec.target, family, "", None, aspect, "", "", spec.citation
    )


@lru_cache(maxsize=1024)
def _published(name: str) -> KnownMetric | None:
    wanted = plain(name)
    while (shorter := _COMPARED_TO.sub("", wanted)) != wanted and wanted not in _by_name():
        wanted = shorter
    words = wanted.split("-")
    if not words[0]:
        return None  # stored with a minus sign
    if exact := _by_name().get(wanted) or _by_name().get("".join(words)):
        return exact
    if not _ANOTHER_THING.isdisjoint(words):
        return None
    for length in range(len(words) - 1, 0, -1):
        known = _by_name().get("-".join(words[:length]))
        if known is not None and known.variants:
            return known
        known = _by_name().get("-".join(words[-length:]))
        if known is not None and known.variants == "both":
            return known
    return None


@cache
def _by_name() -> Mapping[str, KnownMetric]:
    """Return the catalogue by the names as they are compared, with and without separators."""
    with CATALOGUE.open(encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines)
    found: dict[str, KnownMetric] = {}
    for names, orientation, target, family, speaks_of, midpoint, *rest in rows:
        known = KnownMetric(
            orientation, _number(target), family, speaks_of, _number(midpoint), *rest
        )
        for name in names.split():
            found[plain(name)] = known
            found.setdefault(plain(name).replace("-", ""), known)
    return found


def _number(cell: str) -> float | None:
    return float(cell) if cell else None
