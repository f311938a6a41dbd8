"""What is known of published metrics: which way is better, and of which style they speak.

A metric that an imported table names and that neither this catalogue nor the study declares is
reported as unknown, never guessed. Names are compared without regard to case and punctuation.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from corpus.aspects import FAMILIES, Family, aspect_of

Orientation = Literal["higher", "lower", "target", "descriptive", "unknown"]
ORIENTATIONS: tuple[Orientation, ...] = ("higher", "lower", "target", "descriptive", "unknown")

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
    """

    orientation: Orientation
    target: float | None = None
    speaks_of: str = ""
    midpoint: float | None = None
    aspect: str = ""


UNKNOWN = MetricFacts("unknown")
_HIGHER = MetricFacts("higher")
_LOWER = MetricFacts("lower")

_HIGHER_IS_BETTER = """
    bleu sacrebleu self-bleu ref-bleu chrf chrf++ chrf2 rouge rouge-1 rouge-2 rouge-l rouge-lsum
    meteor ter-similarity bertscore bertscore-p bertscore-r bertscore-f bertscore-f1 bleurt
    bleurt-20 comet comet-w comet-20 comet-22 comet-22-all cometkiwi comet-kiwi xcomet metricx
    embedavg embedding-average greedymatch greedy-matching vectorextrema vector-extrema sbert
    cps sti cosine similarity sim wmd-similarity moverscore nubia unieval ctc-score
    chatgpt chatgpt_multi gpt-4 gpt-judge accuracy acc joint overall-mean
    cola acceptability
"""
_LOWER_IS_BETTER = """
    wmd word-movers-distance ter wer cer edit-distance levenshtein
    ppl perplexity gpt2-ppl gpt-2-ppl lm-ppl ngram-ppl nll
"""
_DESCRIPTIVE = "exact-match copy-rate length words characters"
_DESCRIPTIONS = frozenset((*_DESCRIPTIVE.split(), "length-ratio"))
"""Metrics that describe outputs and measure no aspect, whichever value of them is best."""
_MEASURED: Mapping[Family, str] = {
    "style": "sti accuracy acc c-gyafc c-pt16 r-pt16 style-strength style-accuracy",
    "content": """
        bleu sacrebleu self-bleu ref-bleu chrf chrf++ chrf2 rouge rouge-1 rouge-2 rouge-l rouge-lsum
        meteor ter-similarity ter wmd wmd-similarity word-movers-distance cps cosine similarity sim
        bertscore bertscore-p bertscore-r bertscore-f bertscore-f1 bleurt bleurt-20 sbert moverscore
        comet comet-w comet-20 comet-22 comet-22-all cometkiwi comet-kiwi xcomet metricx
        embedavg embedding-average greedymatch greedy-matching vectorextrema vector-extrema
        wer cer edit-distance levenshtein
    """,
    "fluency": "ppl perplexity gpt2-ppl gpt-2-ppl lm-ppl ngram-ppl nll cola acceptability",
    "overall": "joint overall-mean",
}
"""What published metrics measure, where their names say so."""


def _plain(name: str) -> str:
    return re.sub(r"[\s_\-]+", "-", name.strip().lower())


def _entries() -> Iterator[tuple[str, MetricFacts]]:
    for names, facts in (
        (_HIGHER_IS_BETTER, _HIGHER),
        (_LOWER_IS_BETTER, _LOWER),
        (_DESCRIPTIVE, MetricFacts("descriptive")),
    ):
        yield from ((_plain(name), facts) for name in names.split())
    yield "length-ratio", MetricFacts("target", target=1.0)
    # Lai et al. 2022: two classifiers give P(formal), the regressor a rating from -3 to 3.
    yield "c-gyafc", MetricFacts("higher", speaks_of="formal", midpoint=0.5)
    yield "c-pt16", MetricFacts("higher", speaks_of="formal", midpoint=0.5)
    yield "r-pt16", MetricFacts("higher", speaks_of="formal", midpoint=0.0)


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
_CATALOGUE: dict[str, MetricFacts] = dict(_entries())
# Mir et al. 2019 train one naturalness classifier a model and name it after that model.
_FAMILIES: tuple[tuple[str, MetricFacts], ...] = (
    ("naturalness-unigram-", MetricFacts("higher", aspect="naturalness")),
    ("naturalness-neural-", MetricFacts("higher", aspect="naturalness")),
)


def known_metric(name: str) -> MetricFacts | None:
    """Return what the catalogue knows of a metric; None if nothing.

    Examples
    --------
    >>> known_metric("WMD").orientation
    'lower'
    >>> known_metric("my-own") is None
    True
    """
    plain = _plain(name)
    if facts := _CATALOGUE.get(plain):
        return facts
    return next((facts for prefix, facts in _FAMILIES if plain.startswith(prefix)), None)


_FAMILY_OF: Mapping[str, Family] = {
    _plain(name): family for family, names in _MEASURED.items() for name in names.split()
}


def family_of(name: str) -> Family | Literal[""]:
    """Return which aspects a metric measures, as far as its name says; empty if it does not.

    Examples
    --------
    >>> family_of("WMD"), family_of("naturalness-neural-CAAE"), family_of("chatgpt")
    ('content', 'fluency', '')
    """
    plain = _plain(name.removesuffix(" (computed)"))
    facts = known_metric(plain)
    if facts is not None and facts.aspect:
        return aspect_of(facts.aspect).family
    return _FAMILY_OF.get(plain, "")


def is_description(name: str, orientation: str) -> bool:
    """Whether a metric describes outputs and judges none of their aspects.

    Examples
    --------
    >>> is_description("length-ratio", "target"), is_description("bleu", "higher")
    (True, False)
    """
    plain = _plain(name.removesuffix(" (computed)"))
    return orientation == "descriptive" or plain in _DESCRIPTIONS


def computed_as(name: str) -> str:
    """Return what a published metric's number is called where it is computed here.

    Examples
    --------
    >>> computed_as("EmbedAvg"), computed_as("chrF"), computed_as("BERTScore")
    ('embedding-average', 'chrf', 'bertscore-f')
    """
    plain = _plain(name)
    return _COMPUTED_AS.get(plain, plain)


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
