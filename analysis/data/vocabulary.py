"""Every name of an aspect that a study uses, and every metric: what each is read as, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from analysis.data import matrices
from analysis.data.judgements import Judgements
from analysis.data.measures import Measure
from analysis.data.picking import Measured, measured_by
from analysis.data.pooling import why_not_pooled
from corpus.models import Study
from corpus.vocabulary.aspects import ASPECTS, Aspect, Rule, find_aspect, matching_rule
from metrics.models import MetricRun


@dataclass(frozen=True, slots=True)
class Name:
    """A name of an aspect, in ratings or in tables of metrics.

    `declared` is what the study says of it, None where it says nothing; `ratings` counts the
    answers under this name, `metrics` are those whose table or definition names it.
    """

    name: str
    aspect: Aspect
    rule: Rule
    declared: Mapping[str, str] | None
    ratings: int
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """Answers of one campaign under one name, and the measure that reports call them."""

    name: str
    campaign: str
    measure: Measure
    ratings: int


@dataclass(frozen=True, slots=True)
class CampaignPair:
    """Two campaigns that asked about one aspect, and whether their ratings are pooled.

    `why_not` says why they cannot be, even where the study declares it; else it is empty.
    """

    campaign: str
    other: str
    is_declared: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class MetricRow:
    """A metric and what it measures, by one name of an aspect where its table names one."""

    metric: str
    aspect: str
    measured: Measured
    runs: int

    @property
    def follows_its_name(self) -> bool:
        """Whether what the study says of the name of the aspect decides what it measures."""
        rule = self.measured.rule
        return rule == "table" or (rule == "definition" and self.aspect not in ASPECTS)

    @property
    def can_be_declared(self) -> bool:
        """Whether a family may be declared: neither table nor definition says what it measures."""
        return self.measured.rule not in ("table", "definition", "description")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names, the ways of asking, the metrics and the pairs of campaigns of a study."""

    names: tuple[Name, ...]
    ways: tuple[Way, ...]
    metrics: tuple[MetricRow, ...]
    pairs: tuple[CampaignPair, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as the API gives it."""
        return {
            "names": [
                {
                    "name": row.name,
                    "aspect": row.aspect.key,
                    "family": row.aspect.family,
                    "rule": row.rule,
                    "declared": dict(row.declared) if row.declared else None,
                    "ratings": row.ratings,
                    "metrics": list(row.metrics),
                }
                for row in self.names
            ],
            "ratings": [
                {
                    "measure": way.measure.name,
                    "name": way.name,
                    "campaign": way.campaign,
                    "protocol": way.measure.protocol,
                    "answers": way.measure.answers,
                    "scale": list(way.measure.scale) if way.measure.scale else None,
                    "shown": way.measure.shown,
                    "raters": way.measure.raters,
                    "ratings": way.ratings,
                }
                for way in self.ways
            ],
            "pooled": [
                {
                    "campaign": pair.campaign,
                    "with": pair.other,
                    "declared": pair.is_declared,
                    "why_not": pair.why_not,
                }
                for pair in self.pairs
            ],
            "metrics": [
                {
                    "metric": row.metric,
                    "named_aspect": row.aspect,
                    "runs": row.runs,
                    "aspect": row.measured.aspect_key,
                    "family": row.measured.family,
                    "rule": row.measured.rule,
                    "can_be_declared": row.can_be_declared,
                }
                for row in self.metrics
            ],
        }


_ORDER = {"unknown": 0, "description": 2}
"""What nobody knows of comes first, what measures nothing last."""


def vocabulary(study: Study) -> Vocabulary:
    """Return what a study's names are read as."""
    ways = tuple(_ways(matrices.load(study).judgements))
    metrics = tuple(_metrics(study))
    declared = study.declarations.get("aspects", {})
    pairs = tuple(_pairs(ways, study.declarations.get("pooled", {})))
    return Vocabulary(tuple(_names(ways, metrics, declared)), ways, metrics, pairs)


def _ways(judged: Judgements) -> Iterable[Way]:
    for asked in judged.asked:
        slug = judged.campaigns[asked.campaign].slug
        yield Way(asked.name, slug, judged.measures[asked.measure], asked.ratings)


def _pairs(ways: Iterable[Way], declared: Mapping[str, str]) -> Iterable[CampaignPair]:
    """Yield each campaign with every one before it that asked about one aspect, or is declared."""
    asked: dict[str, list[Measure]] = {}
    for way in ways:
        asked.setdefault(way.campaign, []).append(replace(way.measure, campaigns=(way.campaign,)))
    for other, campaign in combinations(sorted(asked), 2):
        is_declared = declared.get(campaign) == other or declared.get(other) == campaign
        names = ({measure.asked_as for measure in asked[each]} for each in (campaign, other))
        if is_declared or set.intersection(*names):
            why_not = why_not_pooled(asked[other], asked[campaign])
            yield CampaignPair(campaign, other, is_declared, why_not)


def _metrics(study: Study) -> list[MetricRow]:
    runs = MetricRun.objects.filter(study=study).published().select_related("metric", "study")
    found: dict[tuple[str, str, Measured], int] = {}
    for run in runs.order_by("pk"):
        key = run.metric.name, run.aspect, measured_by(run)
        found[key] = found.get(key, 0) + 1
    rows = [MetricRow(*key, runs=count) for key, count in found.items()]
    return sorted(rows, key=lambda row: _ORDER.get(row.measured.rule, 1))


def _names(
    ways: Iterable[Way], metrics: Iterable[MetricRow], declared: Mapping[str, Any]
) -> Iterable[Name]:
    """Yield names in order of appearance: those of ratings, of metrics, and declared ones."""
    ratings: dict[str, int] = {}
    for way in ways:
        ratings[way.name] = ratings.get(way.name, 0) + way.ratings
    measuring: dict[str, list[str]] = {}
    for row in metrics:
        if row.follows_its_name:
            measuring.setdefault(row.aspect, []).append(row.metric)
    for name in dict.fromkeys((*ratings, *measuring, *declared)):
        yield Name(
            name=name,
            aspect=find_aspect(name, declared),
            rule=matching_rule(name, declared),
            declared=declared.get(name),
            ratings=ratings.get(name, 0),
            metrics=tuple(dict.fromkeys(measuring.get(name, ()))),
        )
