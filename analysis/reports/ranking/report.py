"""The ranking report: mean human scores of systems, raw and z, with their places."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from analysis.data.measures import NOT_IDENTIFIED
from analysis.data.selection import (
    bounds_of_scores,
    columns_of_systems,
    human_scores_of_outputs,
    select,
)
from analysis.data.study_data import StudyData
from analysis.estimates.evaluation import aspects_of
from analysis.reports.content import Asked, Content
from analysis.stats.results import Result
from analysis.stats.systems.distribution import Distribution, score_distribution
from analysis.stats.systems.human_scores import z_scores
from analysis.stats.systems.rank_ranges import rank_systems


@dataclass(frozen=True)
class RankedMean:
    """A mean human score and its place among all; None where it is undefined."""

    rank: int | None
    result: Result


@dataclass(frozen=True, kw_only=True)
class RatedSystem:
    """A system with its mean human scores; `ordinal` is its place in the study."""

    system: str
    human: bool
    group: Any
    model: str = ""
    ordinal: int = 0
    raw: RankedMean
    z: RankedMean
    distribution: Distribution | None = None
    conditions: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class AspectRanking:
    """The systems by one aspect, best first."""

    aspect: str
    family: str = ""
    answers: str = ""
    scale: tuple[float, ...] | None = None
    systems: tuple[RatedSystem, ...]
    note: str


@dataclass(frozen=True)
class RankingReport(Content):
    """The systems by mean human scores of each aspect."""

    aspects: tuple[str, ...]
    tables: tuple[AspectRanking, ...]


def ranking_report(asked: Asked) -> RankingReport:
    """Build the report: per aspect every system with raw mean, z mean and both ranks.

    Human-written systems are ranked among the others unless the question leaves them out by name.
    """
    data, question = asked.data, asked.question
    question = question.but(humans="in")
    cells = select(data, question)
    names = [data.systems[index].name for index in cells.systems]
    tables = []
    for aspect in aspects_of(data, question.aspect):
        scores = {
            kind: columns_of_systems(
                data, human_scores_of_outputs(data, question.but(scores=kind), aspect), cells
            )
            for kind in ("raw", "z")
        }
        spread = {n: score_distribution(s) for n, s in zip(names, scores["raw"], strict=True)}
        raw, z = (
            {
                entry.system: RankedMean(entry.rank, entry.score)
                for entry in rank_systems(
                    of_kind,
                    names,
                    segments=len(cells.segments),
                    kind=cast(Any, kind),
                    bounds=bounds_of_scores(data, question.but(scores=kind), aspect),
                )
            }
            for kind, of_kind in scores.items()
        )
        systems = [
            RatedSystem(
                system=name,
                human=data.systems[index].human,
                group=data.systems[index].attributes.get("group", ""),
                model=str(data.systems[index].attributes.get("model", "")),
                ordinal=int(index),
                raw=raw[name],
                z=z[name],
                distribution=spread[name],
                conditions=question.but(aspect=aspect).to_query() | {"system": [name]},
            )
            for name, index in zip(names, cells.systems, strict=True)
        ]
        systems.sort(key=lambda each: (each.raw.rank or 10**9, each.system))
        measure = data.measure(aspect)
        tables.append(
            AspectRanking(
                aspect=aspect,
                family=measure.family if measure else "",
                answers=measure.answers if measure else "",
                scale=measure.scale if measure and measure.scale else None,
                systems=tuple(systems),
                note=_note(data, aspect),
            )
        )
    return RankingReport(tuple(table.aspect for table in tables), tuple(tables))


def _note(data: StudyData, aspect: str) -> str:
    """Warn where z-scores compare annotators who saw different systems, or lack spread."""
    rated = data.rated(aspect)
    who = rated.annotator
    if data.unnamed_raters[who].any():
        return f"There are no z-scores and ranks: they are those of a rater, and {NOT_IDENTIFIED}."
    notes = []
    columns = data.column_of_output[rated.output]
    met = np.unique(who * (len(data.systems) + 1) + columns + 1)
    raters, starts = np.unique(met // (len(data.systems) + 1), return_index=True)
    mixes = np.split(met % (len(data.systems) + 1), starts[1:]) if len(raters) else []
    seen = {tuple(mix.tolist()) for mix in mixes}
    if len(seen) > 1:
        notes.append(
            "Annotators saw different mixes of systems, so a z-score also reflects the company "
            "in which a system was judged."
        )
    constant = z_scores(rated.value, who).undefined_groups
    if constant:
        notes.append(
            f"{len(constant)} annotators gave one score throughout: their z-scores are undefined "
            "and left out."
        )
    return " ".join(notes)
