"""The ranking report: mean human scores of systems, raw and z, with their places."""

from typing import Any, cast

from analysis.data.selection import human_scores, select
from analysis.data.study_data import StudyData
from analysis.estimates.evaluation import aspects_of
from analysis.filter.question import Question
from analysis.stats.systems.distribution import distribution_of
from analysis.stats.systems.human_scores import rank_systems, z_scores


def ranking_report(data: StudyData, question: Question) -> dict[str, Any]:
    """Build the report: per aspect every system with raw mean, z mean and both ranks.

    Human-written systems are ranked among the others unless the question leaves them out by name.
    """
    question = question.but(humans="in")
    cells = select(data, question)
    names = [data.systems[index].name for index in cells.systems]
    tables = []
    for aspect in aspects_of(data, question.aspect, preferences=True):
        ranked: dict[str, dict[str, Any]] = {}
        scores = {
            kind: cells.of(human_scores(data, question.but(scores=kind), aspect))
            for kind in ("raw", "z")
        }
        spread = {n: distribution_of(s) for n, s in zip(names, scores["raw"].T, strict=True)}
        for kind, of_kind in scores.items():
            ranked[kind] = {
                entry.system: {"rank": entry.rank, "result": entry.score.to_dict()}
                for entry in rank_systems(of_kind, names, kind=cast(Any, kind))
            }
        tables.append(
            {
                "aspect": aspect,
                "family": measure.family if (measure := data.measure(aspect)) else "",
                "answers": measure.answers if measure else "",
                "scale": list(measure.scale) if measure and measure.scale else None,
                "systems": [
                    {
                        "system": name,
                        "human": data.systems[index].human,
                        "group": data.systems[index].attributes.get("group", ""),
                        "model": str(data.systems[index].attributes.get("model", "")),
                        "ordinal": int(index),
                        "raw": ranked["raw"][name],
                        "z": ranked["z"][name],
                        "distribution": found.to_dict() if (found := spread[name]) else None,
                        "conditions": question.but(aspect=aspect).to_query() | {"system": [name]},
                    }
                    for name, index in sorted(
                        zip(names, cells.systems, strict=True),
                        key=lambda pair: (ranked["raw"][pair[0]]["rank"] or 10**9, pair[0]),
                    )
                ],
                "note": _note(data, aspect),
            }
        )
    return {"aspects": [table["aspect"] for table in tables], "tables": tables}


def _note(data: StudyData, aspect: str) -> str:
    """Warn where z-scores compare annotators who saw different systems, or lack spread."""
    rated = data.rated(aspect)
    who = rated.annotator
    notes = []
    columns = data.column_of_output[rated.output]
    seen = {frozenset(columns[who == index].tolist()) for index in set(who.tolist())}
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
