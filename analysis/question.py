"""What a report is asked: one filter for pages, the API, the command line and published values."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

LEVELS = ("segment", "system")
STATISTICS = ("pearson", "spearman", "kendall-tau-b", "kendall-tau-c", "tau-like")
AGREEMENT_STATISTICS = (
    *("pearson", "pearson-double-entry", "pearson-of-rater-pairs"),
    *("icc-1-1", "icc-2-1", "icc-3-1", "icc-1-k", "icc-2-k", "icc-3-k"),
    *("alpha-interval", "alpha-ordinal", "alpha-ratio", "alpha-nominal"),
    *("fleiss-kappa", "cohen-kappa", "cohen-kappa-linear", "cohen-kappa-quadratic"),
    *("gwet-ac1", "gwet-ac2-linear", "gwet-ac2-quadratic", "percent-agreement"),
)
CHOICES: dict[str, tuple[str, ...]] = {
    "humans": ("out", "in"),
    "withdrawn": ("out", "in"),
    "level": LEVELS,
    "statistic": STATISTICS,
    "grouping": ("none", "segment", "system"),
    "scores": ("raw", "z", "rank"),
    "orientation": ("oriented", "raw"),
    "metric_ties": ("discordant", "half", "skip"),
    "average": ("segments", "pooled"),
    "candidates": ("aspect", "all"),
    "aggregate": ("corpus", "mean"),
    "test": ("permutation", "bootstrap", "williams", "wilcoxon"),
    "swap": ("standard", "cells", "segments", "systems", "both"),
    "resample": ("standard", "segments", "systems", "annotators", "segments-and-annotators"),
    "interval": ("standard", "percentile", "bca", "fisher"),
    "correction": ("holm", "benjamini-hochberg"),
}
FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 100_000


class QuestionError(ValueError):
    """A filter that names something unknown; the message says what and what is possible."""


@dataclass(frozen=True, slots=True)
class Question:
    """A filter and the variants of the statistics; the defaults are those of the definitions.

    Parameters
    ----------
    aspect
        What people judged; empty for every aspect.
    metric
        Names of metrics, `*` for any part; empty for all.
    compared_to, text_setting
        Setting of the metric runs; empty for all, `none` for runs without one.
    direction
        `informal-to-formal`; empty for both together.
    systems, leave_out
        Names of systems, `*` for any part; empty for all, and none left out.
    humans
        Whether systems marked as human-written enter: `out` or `in`.
    withdrawn
        Whether the work of annotators that was withdrawn enters: `out` or `in`.
    where
        `attribute:value` pairs that segments or systems must have.
    level, statistic, grouping
        Which correlation.
    scores, ddof
        Human scores raw, as z-scores per annotator with this ddof, or as ranks within annotator.
    orientation
        Whether scores are turned so that higher is better toward the target style.
    min_gap, metric_ties, average
        Variant of the Kendall tau-like statistic.
    batch
        Segment attribute that divides the segments into batches of the agreement report.
    candidates
        Metrics that are compared: those made for the aspect or for none, or all.
    aggregate
        What a metric says of a system: its corpus score where it has one, or the mean of outputs.
    tested
        Metric that systems are compared by, as the report names it; empty for the first.
    test
        Test on which a comparison rests.
    swap
        What the permutation test of two metrics swaps; by the standard, single cells at segment
        level and system means at system level.
    resample
        What a bootstrap draws; by the standard, the units of the level. Metrics are compared on
        segments or systems only.
    interval
        How the interval of a correlation is made; by the standard Fisher's at system level,
        Student's t over groups, else percentiles.
    correction
        How p-values are adjusted for their number.
    margin
        Largest difference that counts as none: whose interval lies within it is equivalent;
        0 for no such margin.
    resamples, seed
        Draws of every bootstrap and permutation test of a report, and the seed of its generator.
    """

    aspect: str = ""
    metric: tuple[str, ...] = ()
    compared_to: str = ""
    text_setting: str = ""
    direction: str = ""
    systems: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    humans: str = "out"
    withdrawn: str = "out"
    where: tuple[str, ...] = ()
    level: str = "segment"
    statistic: str = "pearson"
    grouping: str = "none"
    scores: str = "raw"
    ddof: int = 0
    orientation: str = "oriented"
    min_gap: float = 0.0
    metric_ties: str = "discordant"
    average: str = "segments"
    batch: str = ""
    candidates: str = "aspect"
    aggregate: str = "corpus"
    tested: str = ""
    test: str = "permutation"
    swap: str = "standard"
    resample: str = "standard"
    interval: str = "standard"
    correction: str = "holm"
    margin: float = 0.0
    resamples: int = 1000
    seed: int = 20190604

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise QuestionError(f"{name}={value}: expected one of {', '.join(choices)}")
        if self.ddof not in (0, 1):
            raise QuestionError(f"ddof={self.ddof}: expected 0 or 1")
        if not 0 <= self.min_gap < float("inf"):
            raise QuestionError(f"min_gap={self.min_gap}: expected 0 or more")
        if not 0 <= self.margin < float("inf"):
            raise QuestionError(f"margin={self.margin}: expected 0 or more")
        if not FEWEST_RESAMPLES <= self.resamples <= MOST_RESAMPLES:
            expected = f"{FEWEST_RESAMPLES} to {MOST_RESAMPLES}"
            raise QuestionError(f"resamples={self.resamples}: expected {expected}")
        if self.seed < 0:
            raise QuestionError(f"seed={self.seed}: expected 0 or more")
        self._check_combinations()
        for pair in self.where:
            if ":" not in pair:
                raise QuestionError(f"where={pair}: expected attribute:value")

    def _check_combinations(self) -> None:
        if self.level == "system" and self.statistic == "tau-like":
            raise QuestionError("tau-like compares outputs of one segment: ask for level=segment")
        if self.interval == "fisher" and self.resample != "standard":
            raise QuestionError(
                f"interval=fisher: it draws nothing, leave resample={self.resample} away"
            )
        if self.interval == "bca" and "annotators" in self.resample:
            raise QuestionError("interval=bca: with annotators drawn, intervals are percentile")

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
        known = {field.name: field for field in fields(cls)}
        given: dict[str, Any] = {}
        for name, value in values.items():
            if name not in known:
                raise QuestionError(f"{name}: no such filter; known: {', '.join(known)}")
            listed = [str(part) for part in _listed(value) if str(part) != ""]
            if not listed:
                continue
            default = known[name].default
            if isinstance(default, tuple):
                given[name] = tuple(listed)
            else:
                given[name] = _converted(name, listed[-1], type(default))
        return cls(**given)

    def to_query(self) -> dict[str, list[str]]:
        """Return what differs from the defaults, as a query string holds it."""
        default = type(self)()
        query: dict[str, list[str]] = {}
        for name, value in asdict(self).items():
            if value == getattr(default, name):
                continue
            query[name] = (
                [str(part) for part in value] if isinstance(value, tuple) else [_text(value)]
            )
        return query

    def but(self, **changes: Any) -> "Question":
        """Return the same question with some parts changed."""
        return replace(self, **changes)


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _converted(name: str, text: str, kind: type) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise QuestionError(f"{name}={text}: expected a number") from None
