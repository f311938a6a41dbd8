"""What a report is asked: one filter for pages, the API, the command line and published values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from analysis.filter.field import FilterField

AGREEMENT_STATISTICS = (
    *("pearson", "pearson-double-entry", "pearson-of-rater-pairs"),
    *("icc-1-1", "icc-2-1", "icc-3-1", "icc-1-k", "icc-2-k", "icc-3-k"),
    *("alpha-interval", "alpha-ordinal", "alpha-ratio", "alpha-nominal"),
    *("fleiss-kappa", "cohen-kappa", "cohen-kappa-linear", "cohen-kappa-quadratic"),
    *("gwet-ac1", "gwet-ac2-linear", "gwet-ac2-quadratic", "percent-agreement"),
)
OF_RATINGS = ("campaign", "protocol", "shown", "raters", "about")
"""Fields that choose ratings; every report of ratings has them."""
RATINGS = ("withdrawn", *OF_RATINGS)
OUTPUTS = ("direction", "systems", "leave_out", "where")
SETTINGS = ("compared_to", "text_setting")
METRICS = ("metric", *SETTINGS)
TAU_LIKE = ("min_gap", "metric_ties", "average")
DRAWS = ("resamples", "seed")
OF_Z = ("scores", ("z",))
"""What z-scores need: another field, and the values that it must have."""
OF_SEGMENTS = ("level", ("segment",))
NAMED: Mapping[str, str] = {"humans": "systems", "candidates": "metric"}
"""Fields that say nothing where another one names all that enters, in every kind."""
FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 100_000
MOST_RATERS = 50
"""Of an output in a planned study."""


class QuestionError(ValueError):
    """A filter that names something unknown; the message says what and what is possible."""


def _any(label: str, help: str, **more: Any) -> Any:
    """Declare a field of any text, which a study offers the values of."""
    return field(default="", metadata={"filter": FilterField(label, help, **more)})


def _several(label: str, help: str, pair: str = "") -> Any:
    """Declare a field of several texts, each perhaps a pair such as `attribute:value`."""
    declared = FilterField(label, help, expected=pair, check=lambda text: not pair or ":" in text)
    return field(default=(), metadata={"filter": declared})


def _one_of(words: Mapping[str, str], label: str, help: str, **more: Any) -> Any:
    """Declare a field of one of some values, the default first."""
    declared = FilterField(label, help, words, **more)
    return field(default=next(iter(words)), metadata={"filter": declared})


def _number(
    default: float | None,
    label: str,
    help: str,
    expected: str,
    check: Callable[[Any], bool],
    size: int = 6,
    **more: Any,
) -> Any:
    """Declare a field of a number."""
    typed: dict[str, str | int] = {
        "inputmode": "numeric" if isinstance(default, int) else "decimal",
        "size": size,
    }
    declared = FilterField(label, help, expected=expected, check=check, typed=typed, **more)
    return field(default=default, metadata={"filter": declared})


def _amount(label: str, help: str, **more: Any) -> Any:
    """Declare a field of a number that is not below zero."""
    return _number(0.0, label, help, "0 or more", lambda x: 0 <= x < float("inf"), **more)


def _correlation(label: str, help: str) -> Any:
    """Declare a field of a correlation, none by default."""
    expected = "a correlation between -1 and 1"
    return _number(None, label, help, expected, lambda r: r is None or -1 < r < 1, is_variant=True)


DDOF = FilterField(
    "z-scores: ddof",
    "Degrees of freedom taken off in z-scores, 0 or 1.",
    {"0": "0", "1": "1"},
    is_variant=True,
)


@dataclass(frozen=True, slots=True)
class Question:
    """A filter and the variants of the statistics; the defaults are those of the definitions.

    Each field is declared here alone: forms, the parameters of the API, the options of commands
    and the table in the documents are made from `FILTER_FIELDS`.
    """

    aspect: str = _any(
        "Aspect", "What was rated: a measure by name, or an aspect; every one without it."
    )
    metric: tuple[str, ...] = _several(
        "Metrics", "Names of metrics, `*` for any part; may be repeated."
    )
    compared_to: str = _any(
        "Compared to", "`source`, `reference`, …; `none` for metrics without it."
    )
    text_setting: str = _any(
        "Text setting",
        "Setting of the texts that a metric saw; `none` for metrics without it.",
    )
    direction: str = _any(
        "Direction", "`source style-to-target style`, as in `informal-to-formal`."
    )
    systems: tuple[str, ...] = _several(
        "Systems", "Names of systems, `*` for any part; may be repeated."
    )
    leave_out: tuple[str, ...] = _several(
        "Leave out", "Names of systems to leave out; may be repeated."
    )
    humans: str = _one_of(
        {"out": "left out", "in": "included"},
        "Human-written systems",
        "Whether human-written systems enter correlations and agreement.",
    )
    withdrawn: str = _one_of(
        {"out": "left out", "in": "included"},
        "Withdrawn work",
        "Whether the work of annotators that was withdrawn enters.",
    )
    where: tuple[str, ...] = _several(
        "Only where",
        "`attribute:value` that segments or systems must have; may be repeated.",
        pair="attribute:value",
    )
    campaign: str = _any("Campaign", "Slug of the campaign whose ratings count; all without it.")
    protocol: str = _any("Protocol", "Protocol of the ratings that count; all without it.")
    shown: str = _one_of(
        {"": "masked and plain", "masked": "masked", "plain": "plain"},
        "Texts shown to raters",
        "Only ratings of texts whose style words were masked, or were not.",
    )
    raters: str = _one_of(
        {
            name: name or "all but models"
            for name in (
                *("", "person", "place", "mean", "median", "majority", "unstated"),
                *("model", "all"),
            )
        },
        "Raters",
        "Kind of the raters that count; without it all but language models.",
    )
    about: tuple[str, ...] = _several(
        "Only raters who answered",
        "`question:answer` that annotators gave about themselves; may be repeated.",
        pair="question:answer",
    )
    level: str = _one_of(
        {"segment": "segment", "system": "system"}, "Level", "Level of the correlation."
    )
    statistic: str = _one_of(
        {
            "pearson": "Pearson r",
            "spearman": "Spearman ρ",
            "kendall-tau-b": "Kendall τ-b",
            "kendall-tau-c": "Kendall τ-c",
            "tau-like": "Kendall τ-like",
        },
        "Statistic",
        "Which correlation.",
    )
    grouping: str = _one_of(
        {"none": "none: pooled", "segment": "by segment", "system": "by system"},
        "Grouping at segment level",
        "Grouping of segment-level correlations.",
        is_variant=True,
    )
    scores: str = _one_of(
        {"raw": "raw", "z": "z per annotator", "rank": "ranks within annotator"},
        "Human scores",
        "Human scores: raw, z per annotator, or ranks within annotator.",
        is_variant=True,
    )
    ddof: int = field(default=0, metadata={"filter": DDOF})
    orientation: str = _one_of(
        {"oriented": "oriented", "raw": "as they are"},
        "Metric scores",
        "Whether metric scores are turned so that higher is better.",
        is_variant=True,
    )
    min_gap: float = _amount(
        "τ-like: smallest human gap",
        "Smallest gap between people that makes a pair count, tau-like.",
        is_variant=True,
    )
    metric_ties: str = _one_of(
        {"discordant": "count against it", "half": "count half", "skip": "skipped"},
        "τ-like: ties of the metric",
        "What a tie of the metric is, tau-like.",
        is_variant=True,
    )
    average: str = _one_of(
        {"segments": "segments", "pooled": "pairs, pooled"},
        "τ-like: average over",
        "Whether tau-like is averaged over segments or pairs are pooled.",
        is_variant=True,
    )
    batch: str = _any(
        "Batches by", "Segment attribute that divides the agreement report into batches."
    )
    candidates: str = _one_of(
        {"aspect": "of the aspect’s family", "all": "all"},
        "Metrics compared",
        "Metrics to take: those of the aspect's family, or all.",
    )
    aggregate: str = _one_of(
        {"corpus": "corpus score, else mean", "mean": "mean of outputs"},
        "Metric of a system",
        "What a metric says of a system in the report of metric scores by system: its corpus score "
        "where it has one, or the mean of its outputs.",
    )
    tested: str = _any(
        "Systems compared by",
        "Metric by which that report compares systems, as it names it; the first if none.",
    )
    test: str = _one_of(
        {
            "permutation": "permutation",
            "bootstrap": "paired bootstrap",
            "williams": "Williams",
            "wilcoxon": "Wilcoxon signed-rank",
        },
        "Test",
        "Test on which a comparison rests; `wilcoxon` for systems, `williams` for metrics.",
    )
    swap: str = _one_of(
        {
            "standard": "what the level has",
            "cells": "single scores",
            "segments": "whole segments",
            "systems": "whole systems",
            "both": "segments and systems",
        },
        "Permutation swaps",
        "What the permutation test of two metrics swaps; by default cells at segment level and "
        "systems at system level.",
        is_variant=True,
    )
    resample: str = _one_of(
        {
            "standard": "what the level has",
            "segments": "segments",
            "systems": "systems",
            "annotators": "annotators",
            "segments-and-annotators": "segments and annotators",
        },
        "Bootstrap draws",
        "What a bootstrap resamples. By default, for correlations the unit of the level; for "
        "agreement nothing (with an `interval`, segments). Metrics are compared on segments or "
        "systems only.",
        is_variant=True,
    )
    interval: str = _one_of(
        {
            "standard": "the default",
            "percentile": "percentile bootstrap",
            "bca": "BCa bootstrap",
            "studentised": "studentised bootstrap",
            "fisher": "Fisher where it is valid",
        },
        "Intervals",
        "How intervals are made. By default, of correlations Fisher's at system level, Student's t "
        "over groups, else percentiles.",
        is_variant=True,
    )
    correction: str = _one_of(
        {"holm": "Holm", "benjamini-hochberg": "Benjamini–Hochberg"},
        "Correction",
        "How the p-values of a comparison are adjusted for their number.",
    )
    model: str = _one_of(
        {"none": "none", "mixed": "mixed-effects"},
        "Model of ratings",
        "Model shown with the tests of systems: mixed-effects, cumulative-link where the "
        "declared scale has categories, else linear.",
    )
    margin: float = _amount(
        "Equivalent within",
        "Largest difference that counts as none in a comparison; 0 for no such margin.",
        is_variant=True,
    )
    by: str = _any(
        "Divided by",
        "What divides the study into subgroups: `direction`, `batch`, `length`, `system-subset`, "
        "or an attribute of segments or systems.",
    )
    sets: str = _one_of(
        {"fixed": "the same systems", "reranked": "ranked anew"},
        "Top N in each draw",
        "Whether the N best systems stay the same in every resample or are ranked anew.",
    )
    goal: str = _one_of(
        {
            "difference": "difference of two systems",
            "mean": "mean of a system",
            "correlation": "correlation of a metric",
            "metrics": "telling two metrics apart",
        },
        "Planned for",
        "What a new study is planned for.",
    )
    half_width: float = _amount(
        "Half-width wanted",
        "Half-width that the planned interval shall have; 0 for half of this study's.",
    )
    power: float = _number(
        0.8,
        "Power wanted",
        "Power to tell two metrics apart.",
        "between 0.05 and 1, as 0.8",
        lambda power: 0.05 < power < 1,
    )
    panel: int = _number(
        0,
        "Raters of each output",
        "Raters of every output of the planned study; 0 for as many as this study has.",
        f"1 to {MOST_RATERS} raters",
        lambda raters: 0 <= raters <= MOST_RATERS,
        size=4,
    )
    first: float | None = _correlation(
        "First metric’s r, noise-free", "Correlation of the first metric with noise-free scores."
    )
    second: float | None = _correlation(
        "Second metric’s r, noise-free",
        "Correlation of the second metric with noise-free scores.",
    )
    between: float | None = _correlation("r of the two metrics", "Correlation of the two metrics.")
    resamples: int = _number(
        1000,
        "Number of draws",
        "Resamples of bootstraps and permutation tests; the site may set a smaller "
        "`RESAMPLES_LIMIT` (10,000 by default). System comparison of more than 40 systems tests "
        "without resampling and refuses it.",
        f"{FEWEST_RESAMPLES} to {MOST_RESAMPLES}",
        lambda draws: FEWEST_RESAMPLES <= draws <= MOST_RESAMPLES,
        is_variant=True,
    )
    seed: int = _number(
        20190604,
        "Seed",
        "Seed of bootstraps and permutation tests.",
        "0 or more",
        lambda seed: seed >= 0,
        size=9,
        is_variant=True,
    )

    def __post_init__(self) -> None:
        for name in self.given():
            if fault := FILTER_FIELDS[name].fault(getattr(self, name)):
                raise QuestionError(f"{name}={fault}")
        self._check_combinations()

    def _check_combinations(self) -> None:
        if self.level == "system" and self.statistic == "tau-like":
            raise QuestionError("tau-like compares outputs of one segment: ask for level=segment")
        if self.interval == "fisher" and self.resample != "standard":
            raise QuestionError(
                f"interval=fisher: it draws nothing, leave resample={self.resample} away"
            )
        if self.interval in ("bca", "studentised") and "annotators" in self.resample:
            raise QuestionError(
                f"interval={self.interval}: with annotators drawn, intervals are percentile"
            )

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> "Question":
        """Read a query string or a JSON object.

        Parameters
        ----------
        values
            Names to a value or a list of values; empty values count as not given.

        Raises
        ------
        QuestionError
            If a name is unknown or a value impossible.
        """
        given: dict[str, Any] = {}
        for name, value in values.items():
            if name not in DEFAULTS:
                raise QuestionError(f"{name}: no such filter; known: {', '.join(DEFAULTS)}")
            listed = [str(part) for part in _listed(value) if part is not None and str(part) != ""]
            if not listed:
                continue
            default = DEFAULTS[name]
            if isinstance(default, tuple):
                given[name] = tuple(listed)
            else:
                kind = float if default is None else type(default)
                given[name] = _converted(name, listed[-1], kind)
        return cls(**given)

    def to_query(self) -> dict[str, list[str]]:
        """Return what differs from the defaults, as a query string holds it."""
        query: dict[str, list[str]] = {}
        for name in self.given():
            value = getattr(self, name)
            parts = value if isinstance(value, tuple) else (value,)
            query[name] = [
                number_text(part) if isinstance(part, float) else str(part) for part in parts
            ]
        return query

    def given(self) -> list[str]:
        """Return the names of the fields that differ from their defaults."""
        return [name for name, default in DEFAULTS.items() if getattr(self, name) != default]

    def is_named_over(self, name: str) -> bool:
        """Whether a field says nothing because another one names all that enters."""
        return name in NAMED and bool(getattr(self, NAMED[name]))

    def text_of(self, name: str) -> str:
        """Return the value of a field as an address holds it."""
        value = getattr(self, name)
        return ",".join(value) if isinstance(value, tuple) else str(value)

    def but(self, **changes: Any) -> "Question":
        """Return the same question with some parts changed."""
        return replace(self, **changes)


FILTER_FIELDS: Mapping[str, FilterField] = {
    each.name: each.metadata["filter"] for each in fields(Question)
}
"""Every field of a question by its name."""
DEFAULTS: Mapping[str, Any] = {each.name: each.default for each in fields(Question)}
SEVERAL = tuple(name for name, default in DEFAULTS.items() if isinstance(default, tuple))
"""Fields of several values."""
CHOICES = {name: tuple(each.words) for name, each in FILTER_FIELDS.items() if each.words}


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def number_text(value: float) -> str:
    """Return the shortest text that reads back as the same number.

    Examples
    --------
    >>> number_text(25.0), number_text(123456.7)
    ('25', '123456.7')
    """
    return repr(value).removesuffix(".0")


def _converted(name: str, text: str, kind: type) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise QuestionError(f"{name}={text}: expected a number") from None
