"""The system comparison report: every system against every other, by human judgements."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from analysis.data.selection import Cells, human_scores, scale_aspects, select
from analysis.data.study_data import CHOICES, Floats, StudyData
from analysis.estimates.comparisons import Compared, PairTests, family, permutation_of
from analysis.estimates.correlations import system_names
from analysis.estimates.evaluation import aspects_of
from analysis.filter.question import DRAWS, Question, QuestionError
from analysis.reports.content import converter
from analysis.reports.system_comparison.many_systems import (
    MOST_LISTED,
    compare_many,
    neighbours,
    pair_rows,
)
from analysis.stats.resampling.multiplicity import holm
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.systems.bradley_terry import fit_strengths
from analysis.stats.systems.human_scores import rank_systems
from analysis.stats.systems.paired_means import paired_mean_difference
from analysis.stats.systems.paired_tests import sign_flip_test, wilcoxon_signed_rank
from corpus.progress import ProgressCallback

MOST_SYSTEMS = 500
"""Rated or judged systems that are compared at once: 124,750 pairs."""
WORK_OF_PAIR = 500
"""Cells that a pair of many systems counts for, beside its segments: p-values, rows, storage."""


def system_comparison_report(
    data: StudyData, question: Question, tell: ProgressCallback
) -> dict[str, Any]:
    """Build the report of one aspect: systems with rank ranges, and the test of every two.

    Raises
    ------
    QuestionError
        If the question asks for another test, or too many systems fit.
    """
    check_system_comparison(data, question)
    aspects = aspects_of(data, question.aspect)
    aspect = aspects[0] if aspects else ""
    cells = select(data, question)
    scores = cells.of(human_scores(data, question, aspect))
    systems, left_out = _systems(data, question, cells, aspect)
    order = [entry.pop("column") for entry in systems]
    values = [entry["result"]["value"] for entry in systems]
    rows: Sequence[PairTests]
    columns, shown = None, range(0)
    if len(systems) > MOST_LISTED:
        tell("comparing systems", 0, 0)
        columns, ranges = compare_many(scores[:, order], values, question)
        rows = list(pair_rows(columns))
        shown = neighbours(len(systems)).tolist()
    else:
        rows, ranges = family(list(_pairs(scores[:, order], question, tell)), values, question)
    systems = [entry | place.to_dict() for entry, place in zip(systems, ranges, strict=True)]
    if columns:
        rows = [rows[place] for place in shown]
    return {
        "aspect": aspect,
        "aspects": scale_aspects(data),
        "segments": len(cells.segments),
        "scores": question.scores,
        "systems": systems,
        "left_out": left_out,
        "pairs": [converter().unstructure(pair) for pair in rows],
        "pair_columns": columns,
        "strengths": list(_strengths(data, cells)),
    }


def check_system_comparison(data: StudyData, question: Question) -> None:
    """Refuse what cannot be compared.

    Raises
    ------
    QuestionError
        If too many systems were rated or judged.
    """
    judged = data.judgements
    outputs = np.concatenate([judged.first, judged.second[judged.second >= 0]])
    met = np.intersect1d(data.column_of_output[outputs], select(data, question).systems)
    if met.size > MOST_SYSTEMS:
        raise QuestionError(
            f"systems: {met.size} systems with ratings fit, at most {MOST_SYSTEMS} are compared at "
            "once; choose some of them by systems or leave_out"
        )


def check_draws(data: StudyData, question: Question) -> None:
    """Refuse a number of draws or a seed where so many systems are compared that none is drawn.

    Raises
    ------
    QuestionError
    """
    asked = [f"{name}={value[0]}" for name, value in question.to_query().items() if name in DRAWS]
    if not asked:
        return
    aspect = next(iter(aspects_of(data, question.aspect)), "")
    scores = select(data, question).of(human_scores(data, question, aspect))
    compared = int(np.isfinite(scores).any(axis=0).sum())
    if compared > MOST_LISTED:
        raise QuestionError(
            f"{asked[0]}: {compared} systems are compared, and more than {MOST_LISTED} by tests "
            "that draw nothing; remove it, or choose fewer systems by systems or leave_out"
        )


def system_comparison_cost(question: Question, segments: int, systems: int, ratings: int) -> int:
    """Estimate the work in cells: tests by draws of few systems, sums over segments of many."""
    pairs = systems * (systems - 1) // 2
    if systems > MOST_LISTED:
        return ratings + pairs * (WORK_OF_PAIR + segments)
    return ratings + pairs * segments * permutation_of(question, pairs).draws // 30


def _systems(
    data: StudyData, question: Question, cells: Cells, aspect: str
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Return the systems with two kinds of means, best first by that asked for, and the unrated."""
    names = system_names(data, cells)
    ranked: dict[str, list[Any]] = {}
    for kind in dict.fromkeys(("raw", "z", question.scores)):
        scores = cells.of(human_scores(data, question.but(scores=kind), aspect))
        ranked[kind] = rank_systems(scores, names, kind=cast(Any, kind))
    other_kind = "z" if question.scores == "raw" else "raw"
    others = {entry.system: entry.score for entry in ranked[other_kind]}
    place = {name: column for column, name in enumerate(names)}
    rated, left_out = [], []
    for entry in ranked[question.scores]:
        column = place[entry.system]
        if isinstance(entry.score, Undefined):
            left_out.append({"system": entry.system, "reason": entry.score.reason})
            continue
        rated.append(
            {
                "system": entry.system,
                "human": data.systems[cells.systems[column]].human,
                "column": column,
                "result": entry.score.to_dict(),
                "other": others[entry.system].to_dict(),
            }
        )
    # Where nobody rated on a scale, judgements of two outputs alone say who was left out.
    return rated, left_out if rated else []


def _pairs(scores: Floats, question: Question, tell: ProgressCallback) -> Iterator[Compared]:
    n = scores.shape[1]
    count = n * (n - 1) // 2
    variant = {"human": question.scores}
    if question.scores == "z":
        variant["ddof"] = str(question.ddof)
    permuted = partial(sign_flip_test, permutation=permutation_of(question, count), variant=variant)
    done = 0
    for first in range(n):
        for second in range(first + 1, n):
            sides = scores[:, first], scores[:, second]
            tests: dict[str, Result] = {
                "permutation": permuted(*sides),
                "wilcoxon": wilcoxon_signed_rank(*sides, variant=variant),
                "mean": paired_mean_difference(*sides, variant=variant),
            }
            yield Compared(first, second, tests)
            done += 1
            tell("comparing systems", done, count)


def _strengths(data: StudyData, cells: Cells) -> Iterator[dict[str, Any]]:
    """Yield the strengths of the selected systems for each aspect judged output against output."""
    judged = data.judgements
    # The last place is that of outputs of no system, whose column is -1.
    place = np.full(len(data.systems) + 1, -1)
    place[cells.systems] = np.arange(len(cells.systems))
    columns = place[data.column_of_output]
    wanted = np.isin(data.segment_of_output, cells.segments)
    known = np.flatnonzero((judged.choice >= 0) & (judged.second >= 0))
    first, second = columns[judged.first[known]], columns[judged.second[known]]
    kept = (first >= 0) & (second >= 0) & (first != second) & wanted[judged.first[known]]
    rows, first, second = known[kept], first[kept], second[kept]
    outcomes = np.array([{"first": 1, "second": -1, "tie": 0}[name] for name in CHOICES])
    for index, aspect in enumerate(judged.aspects):
        own = judged.aspect[rows] == index
        if not own.any():
            continue
        outcome, side = outcomes[judged.choice[rows[own]]], judged.side[rows[own]]
        one, other = first[own], second[own]
        # Without the side on which each text stood no advantage of a side can be told.
        sided = bool((side >= 0).all())
        if sided:
            swapped = side == 1
            one, other = np.where(swapped, other, one), np.where(swapped, one, other)
            outcome = np.where(swapped, -outcome, outcome)
        yield _fitted(aspect, one, other, outcome, system_names(data, cells), sided)


def _fitted(
    aspect: str, one: Any, other: Any, outcome: Any, names: tuple[str, ...], sided: bool
) -> dict[str, Any]:
    """Fit the strengths of those systems that were judged against others."""
    met = np.unique(np.concatenate([one, other]))
    never = np.setdiff1d(np.arange(len(names)), met)
    fit = fit_strengths(
        np.searchsorted(met, one),
        np.searchsorted(met, other),
        outcome,
        len(met),
        position=sided,
    )
    common = {
        "aspect": aspect,
        "judgements": len(one),
        "ties": int((outcome == 0).sum()),
        "left_out": [names[column] for column in never],
    }
    if isinstance(fit, Undefined):
        nothing: dict[str, Any] = {"systems": [], "pairs": []}
        nothing |= {"pair_columns": None, "position": None}
        return common | {"undefined": fit.to_dict()} | nothing
    order = np.argsort([-system.value for system in fit.systems], kind="stable")
    columns = _strength_pairs(*fit.differences(), order)
    many = len(met) > MOST_LISTED
    shown = neighbours(len(met)).tolist() if many else range(len(columns["first"]))
    listed = [names[met[i]] for i in order]
    return common | {
        "undefined": None,
        "systems": [
            {"system": names[met[i]], "result": cast(Estimate, fit.systems[i]).to_dict()}
            for i in order
        ],
        "pairs": [
            {
                "first": listed[columns["first"][place]],
                "second": listed[columns["second"][place]],
                **{name: columns[name][place] for name in ("difference", "p_value", "holm")},
            }
            for place in shown
        ],
        "pair_columns": columns if many else None,
        "position": fit.position.to_dict() if fit.position else None,
    }


def _strength_pairs(gaps: Floats, p_values: Floats, order: Any) -> dict[str, list[Any]]:
    """Return every two strengths in columns: places in the order, difference, p-values."""
    first, second = np.triu_indices(len(order), 1)
    ends = order[first], order[second]
    return {
        "first": first.tolist(),
        "second": second.tolist(),
        "difference": gaps[ends].tolist(),
        "p_value": p_values[ends].tolist(),
        "holm": holm(p_values[ends]).tolist(),
    }
