"""What the stand-in report holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from analysis.data.named_metric import LeftOutMetric, NamedMetric
from analysis.data.picking import MetricChoice
from analysis.reports.content import Content
from analysis.reports.stand_in.known_errors import AnswerShare, ErrorOfJudge, ToldByJudge
from analysis.stats.agreement.alternative_annotator import Verdict
from analysis.stats.results import Result

RESULTS = ("winning-rate", "advantage", "severity", "spread", "agreement", "alpha-with")
Answers = Literal["scale", "choices", "categories"]
"""Numbers, choices between two texts, or words about one; only numbers are nearer or farther."""


@dataclass(frozen=True)
class BesideRater:
    """A candidate beside one rater; see `analysis.stats.agreement.alternative_annotator`."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"outputs": "items"}
    rater: str
    items: int
    judge_as_good: float
    rater_as_good: float
    p_value: float | None
    holds: bool
    falls_short: bool


@dataclass(frozen=True, kw_only=True)
class Candidate(NamedMetric):
    """A judge or metric with the results of `RESULTS`, of answers without numbers some of them.

    `fitted` says that a line gave its scale, `prompts` how many a judge was asked with.
    """

    COLUMNS: ClassVar[Mapping[str, str]] = {"fitted_line": "fitted"}
    fitted: bool
    verdict: Verdict
    outputs_needed: int | None
    results: Mapping[str, Result]
    beside: tuple[BesideRater, ...]
    prompts: int = 1


@dataclass(frozen=True)
class Person:
    """A rater tested in the same way among the other raters."""

    rater: str
    verdict: Verdict
    results: Mapping[str, Result]


@dataclass(frozen=True)
class Part:
    """A candidate in one system or direction."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"divided_by": "of", "metric": "name"}
    of: str
    part: str
    name: str
    verdict: Verdict
    results: Mapping[str, Result]


@dataclass(frozen=True, kw_only=True)
class StandInReport(Content):
    """Candidates of an aspect, the raters as their yardstick, and candidates in parts."""

    aspect: str
    aspects: tuple[str, ...]
    answered_by: Answers = "scale"
    picked: MetricChoice | None = None
    epsilon: float
    systems: tuple[str, ...]
    segments: int
    raters: int
    alpha: Result
    rows: tuple[Candidate, ...]
    people: tuple[Person, ...]
    parts: tuple[Part, ...]
    left_out: tuple[LeftOutMetric, ...]
    reason: str = ""
    cut: float | None = None
    errors: tuple[ErrorOfJudge, ...] = ()
    told: tuple[ToldByJudge, ...] = ()
    answers: tuple[AnswerShare, ...] = ()
