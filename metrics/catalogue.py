"""What is known of published metrics: which way is better, and of which style they speak.

A metric that an imported table names and that neither this catalogue nor the study declares is
reported as unknown, never guessed. A metric of this program is known by its key, from its class.
Each line of `known_metrics.csv` has names, separated by spaces, of metrics of which the same is
known:

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
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from corpus.vocabulary.aspects import FAMILIES, Family
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


Orientation = Literal["higher", "lower", "target", "descriptive", "unknown"]
ORIENTATIONS: tuple[Orientation, ...] = ("higher", "lower", "target", "descriptive", "unknown")

STORED_FACTS = ("orientation", "target", "speaks_of", "midpoint")

ABOVE_SOURCE = "above-source"
"""Field of a run of naturalness: the score of an output less that of its source."""


@dataclass(frozen=True, slots=True)
class MetricFacts:
    """How to read a metric's scores.

    Parameters
    ----------
    orientation
        Whether higher or lower is better, a target value exists, or it only describes.
    target
        The best value of a metric with orientation `target`.
    speaks_of
        The one style whose presence a score measures; empty if it measures the transfer.
    midpoint
        Where a one-style score is mirrored for the other direction: 0.5 for probabilities.
    aspect
        What it measures, where its name says so; empty if a table must say it.
    has_either_sign
        Whether it is published as a penalty, of which less is better, and also with a minus sign:
        then its scores decide.
    note
        What an import should say of it.
    """

    orientation: Orientation
    target: float | None = None
    speaks_of: str = ""
    midpoint: float | None = None
    aspect: str = ""
    has_either_sign: bool = False
    note: str = ""

    @property
    def stored(self) -> dict[str, Any]:
        """What a study stores of a metric, by the names of its fields."""
        return {name: getattr(self, name) for name in STORED_FACTS}


UNKNOWN = MetricFacts("unknown")

_COMPUTED_AS = {
    "bertscore": "bertscore-f",
    "bertscore-f1": "bertscore-f",
    "chrf2": "chrf",
    "embedavg": "embedding-average",
    "greedymatch": "greedy-matching",
    "levenshtein": "edit-distance",
    "sacrebleu": "bleu",
    "vectorextrema": "vector-extrema",
    "word-movers-distance": "wmd",
}
"""Published names of numbers that are called otherwise where they are computed here."""


def known_metric(name: str) -> MetricFacts | None:
    """Return what the catalogue knows of a metric; None if nothing.

    Examples
    --------
    >>> known_metric("WMD").orientation
    'lower'
    >>> known_metric("my-own") is None
    True
    """
    known = found_metric(name)
    if known is None:
        return None
    return MetricFacts(
        "lower" if known.orientation == PENALTY else cast(Orientation, known.orientation),
        target=known.target,
        speaks_of=known.speaks_of,
        midpoint=known.midpoint,
        aspect=known.aspect,
        has_either_sign=known.orientation == PENALTY,
        note=known.note,
    )


def family_of(name: str) -> Family | Literal[""]:
    """Return which aspects a metric measures, as far as its name says; empty if it does not.

    Examples
    --------
    >>> family_of("WMD"), family_of("naturalness-neural-CAAE"), family_of("chatgpt")
    ('content', 'fluency', '')
    """
    known = found_metric(name.removesuffix(" (computed)"))
    return cast(Family, known.family) if known and known.family else ""


def is_description(name: str, orientation: str) -> bool:
    """Whether a metric describes outputs and judges none of their aspects.

    What is known to describe does so whichever value of it a study declares to be the best.

    Examples
    --------
    >>> is_description("exact-match", "higher"), is_description("bleu", "higher")
    (True, False)
    """
    known = found_metric(name.removesuffix(" (computed)"))
    describes = known is not None and known.orientation in ("descriptive", "target")
    return orientation == "descriptive" or describes


def computed_as(name: str) -> str:
    """Return what a published metric's number is called where it is computed here.

    Examples
    --------
    >>> computed_as("EmbedAvg"), computed_as("chrF"), computed_as("BERTScore")
    ('embedding-average', 'chrf', 'bertscore-f')
    """
    compared = plain(name)
    return _COMPUTED_AS.get(compared, compared)


def declared_metric(declaration: object, name: str) -> MetricFacts:
    """Read a metric's entry of a study's declarations.

    Raises
    ------
    ValueError
        If the entry is no object, or a value is not one of those expected.
    """
    if not isinstance(declaration, dict):
        raise ValueError(f"metric {name!r}: expected an object with an orientation")
    orientation = declaration.get("orientation", "unknown")
    if orientation not in ORIENTATIONS:
        raise ValueError(
            f"metric {name!r}: orientation {orientation!r}, "
            f"expected one of {', '.join(ORIENTATIONS)}"
        )
    numbers: dict[str, float | None] = {}
    for key in ("target", "midpoint"):
        number = declaration.get(key)
        if number is not None and (isinstance(number, bool) or not isinstance(number, int | float)):
            raise ValueError(f"metric {name!r}: {key} {number!r}, expected a number")
        numbers[key] = None if number is None else float(number)
    speaks_of = declaration.get("speaks_of", "") or ""
    if not isinstance(speaks_of, str):
        raise ValueError(f"metric {name!r}: speaks_of {speaks_of!r}, expected a style's name")
    if speaks_of and numbers["midpoint"] is None:
        if declaration.get("kind") != "probability":
            raise ValueError(
                f"metric {name!r} speaks of {speaks_of!r}: say its midpoint (0.5 for a "
                'probability, or "kind": "probability")'
            )
        numbers["midpoint"] = 0.5
    if orientation == "target" and numbers["target"] is None:
        raise ValueError(f"metric {name!r}: orientation target needs a target value")
    if (family := declared_family(declaration)) and family not in FAMILIES:
        raise ValueError(
            f"metric {name!r}: family {family!r}, expected one of {', '.join(FAMILIES)}"
        )
    aspect = declaration.get("aspect", "")
    return MetricFacts(orientation, numbers["target"], speaks_of, numbers["midpoint"], aspect)


def declared_family(declaration: object) -> Any:
    """Return the family in a metric's entry of a study's declarations; empty where it has none."""
    return declaration.get("family", "") if isinstance(declaration, dict) else ""
