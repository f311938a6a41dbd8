"""What a metric run measures, and how that is known."""

from dataclasses import dataclass
from typing import Literal

from corpus.vocabulary.aspects import ASPECTS, Family, find_aspect
from metrics.catalogue import declared_family, family_of, is_description
from metrics.models import MetricRun
from metrics.runs.names import SUFFIX

Rule = Literal["description", "definition", "table", "declared", "distribution", "name", "unknown"]


@dataclass(frozen=True, slots=True)
class Measured:
    """What a metric measures.

    Parameters
    ----------
    family
        The family of aspects; empty where nothing says it.
    aspect_key
        The aspect, where the metric's definition or its table names one.
    rule
        How it is known: the metric is a description and measures no aspect; its definition or its
        table names the aspect; the study declares its family; it gives probabilities of styles;
        its name is known; or it is unknown.
    """

    family: Family | Literal[""]
    aspect_key: str
    rule: Rule


def measured_by(run: MetricRun) -> Measured:
    """Return what a run measures.

    What a study declares of names of aspects holds for imported tables, and for computed metrics
    whose aspect the registry does not have.
    """
    name, declared = run.metric.name, run.study.declarations
    computed = run.origin == MetricRun.Origin.COMPUTED
    names = {} if computed and run.aspect in ASPECTS else declared.get("aspects", {})
    aspect = find_aspect(run.aspect, names) if run.aspect else None
    if not run.is_distribution and is_description(name, run.metric.orientation):
        return Measured("", aspect.key if aspect else "", "description")
    if aspect:
        return Measured(aspect.family, aspect.key, "definition" if computed else "table")
    if family := declared_family(declared.get("metrics", {}).get(declared_as(name))):
        return Measured(family, "", "declared")
    if run.is_distribution:
        return Measured("style", "", "distribution")
    known = family_of(name)
    return Measured(known, "", "name" if known else "unknown")


def declared_as(name: str) -> str:
    """Return the name under which a study declares a metric, imported or computed."""
    return name.removesuffix(SUFFIX)
