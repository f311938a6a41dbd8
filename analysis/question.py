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
    "shown": ("", "masked", "plain"),
    "raters": ("", "person", "mean", "majority", "unstated", "model", "all"),
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
    "interval": ("standard", "percentile", "bca", "studentised", "fisher"),
    "correction": ("holm", "benjamini-hochberg"),
    "sets": ("fixed", "reranked"),
    "goal": ("difference", "mean", "correlation", "metrics"),
}
FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 100_000
MOST_RATERS = 50
"""Of an output in a planned study."""


class QuestionError(ValueError):
    """A filter that names something unknown; the message says what and what is possible."""


@dataclass(frozen=True, slots=True)
class Question:
    """A filter and the variants of the statistics; the defaults are those of the definitions.

    Parameters
    ----------
    aspect
        What was rated: a measure by name, or every measure of an aspect; empty for all.
    campaign, protocol
        Ratings of one campaign, or under one protocol only; empty for all.
    shown
        `masked` or `plain`: ratings of texts whose style words were masked, or were not.
    raters
        Kind of raters: `person`, `mean`, `majority`, `unstated` or `model`; `all` for every one.
        Empty for all but language models.
    about
        Only annotators who answered so about themselves, each as `question:answer`.
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
    by
        What divides a study into the strata of the subgroups report; empty for the first that does.
    sets
        Whether the N best systems stay the same in every draw or are ranked anew.
    goal
        What a new study is planned for: the difference of two systems, a system's mean, a
        correlation, or telling two metrics apart.
    half_width, power
        What the planned study shall reach; no half-width: half of what the study at hand has.
    panel
        Raters of every output for whom the plan is checked; 0 for as many as the study at hand has.
    first, second, between
        Correlations of two metrics with noise-free scores and with each other; those of the study
        at hand where not given.
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
    campaign: str = ""
    protocol: str = ""
    shown: str = ""
    raters: str = ""
    about: tuple[str, ...] = ()
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
    by: str = ""
    sets: str = "fixed"
    goal: str = "difference"
    half_width: float = 0.0
    power: float = 0.8
    panel: int = 0
    first: float | None = None
    second: float | None = None
    between: float | None = None
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
        self._check_plan()
        if not FEWEST_RESAMPLES <= self.resamples <= MOST_RESAMPLES:
            expected = f"{FEWEST_RESAMPLES} to {MOST_RESAMPLES}"
            raise QuestionError(f"resamples={self.resamples}: expected {expected}")
        if self.seed < 0:
            raise QuestionError(f"seed={self.seed}: expected 0 or more")
        self._check_combinations()
        for name in ("where", "about"):
            for pair in getattr(self, name):
                if ":" not in pair:
                    expected = "question:answer" if name == "about" else "attribute:value"
                    raise QuestionError(f"{name}={pair}: expected {expected}")

    def _check_plan(self) -> None:
        """Refuse what no study can be planned for."""
        if not 0 <= self.half_width < float("inf"):
            raise QuestionError(f"half_width={self.half_width}: expected 0 or more")
        if not 0.05 < self.power < 1:
            raise QuestionError(f"power={self.power}: expected between 0.05 and 1, as 0.8")
        if not 0 <= self.panel <= MOST_RATERS:
            raise QuestionError(f"panel={self.panel}: expected 1 to {MOST_RATERS} raters")
        for name in ("first", "second", "between"):
            value = getattr(self, name)
            if value is not None and not -1 < value < 1:
                raise QuestionError(f"{name}={value}: expected a correlation between -1 and 1")

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
        known = {field.name: field for field in fields(cls)}
        given: dict[str, Any] = {}
        for name, value in values.items():
            if name not in known:
                raise QuestionError(f"{name}: no such filter; known: {', '.join(known)}")
            listed = [str(part) for part in _listed(value) if part is not None and str(part) != ""]
            if not listed:
                continue
            default = known[name].default
            if isinstance(default, tuple):
                given[name] = tuple(listed)
            else:
                kind = float if default is None else type(default)
                given[name] = _converted(name, listed[-1], kind)
        return cls(**given)

    def to_query(self) -> dict[str, list[str]]:
        """Return what differs from the defaults, as a query string holds it."""
        default = type(self)()
        query: dict[str, list[str]] = {}
        for name, value in asdict(self).items():
            if value == getattr(default, name):
                continue
            parts = value if isinstance(value, tuple) else (value,)
            query[name] = [
                number_text(part) if isinstance(part, float) else str(part) for part in parts
            ]
        return query

    def but(self, **changes: Any) -> "Question":
        """Return the same question with some parts changed."""
        return replace(self, **changes)


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
