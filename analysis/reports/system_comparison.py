"""The system comparison report: every system against every other, by people's judgements."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

import numpy as np

from analysis.comparisons import Compared, family, permutation_of
from analysis.correlations import system_names
from analysis.evaluation import aspects_of
from analysis.matrices import CHOICES, Floats, StudyData
from analysis.question import Question, QuestionError
from analysis.selection import Cells, human_scores, scale_aspects, select
from analysis.stats.bradley_terry import fit_strengths
from analysis.stats.human_scores import rank_systems
from analysis.stats.multiplicity import holm
from analysis.stats.paired_means import paired_mean_difference
from analysis.stats.paired_tests import sign_flip_test, wilcoxon_signed_rank
from analysis.stats.results import Estimate, Result, Undefined
from analysis.summaries import Contest, contest_sentences

Tell = Callable[[str, int, int], object]
TESTS = ("permutation", "wilcoxon")
MOST_SYSTEMS = 40


def system_comparison_report(data: StudyData, question: Question, tell: Tell) -> dict[str, Any]:
    """Build the report of one aspect: systems with rank ranges, and the test of every two.

    Raises
    ------
    QuestionError
        If the question asks for another test, or too many systems fit.
    """
    if question.test not in TESTS:
        raise QuestionError(f"test={question.test}: systems are compared by {', '.join(TESTS)}")
    aspects = aspects_of(data, question.aspect)
    aspect = aspects[0] if aspects else ""
    cells = select(data, question)
    if len(cells.systems) > MOST_SYSTEMS:
        raise QuestionError(
            f"systems: {len(cells.systems)} systems fit, at most {MOST_SYSTEMS} are compared at "
            "once; choose some of them"
        )
    scores = cells.of(human_scores(data, question, aspect))
    systems, left_out = _systems(data, question, cells, aspect)
    order = [entry.pop("column") for entry in systems]
    pairs = list(_pairs(scores[:, order], question, tell))
    rows, ranges = family(pairs, [entry["result"]["value"] for entry in systems], question)
    systems = [entry | place for entry, place in zip(systems, ranges, strict=True)]
    contest = Contest([entry["system"] for entry in systems], rows, "systems", "Δ of means")
    return {
        "aspect": aspect,
        "aspects": scale_aspects(data),
        "segments": len(cells.segments),
        "scores": question.scores,
        "summary": contest_sentences(contest, question),
        "systems": systems,
        "left_out": left_out,
        "pairs": rows,
        "strengths": list(_strengths(data, cells)),
    }


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
    rated, left_out = [], []
    for entry in ranked[question.scores]:
        column = names.index(entry.system)
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
    return rated, left_out


def _pairs(scores: Floats, question: Question, tell: Tell) -> Iterator[Compared]:
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
    place = np.full(len(data.systems), -1)
    place[cells.systems] = np.arange(len(cells.systems))
    columns = np.where(data.column_of_output >= 0, place[data.column_of_output], -1)
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
    fit = fit_strengths(
        np.searchsorted(met, one),
        np.searchsorted(met, other),
        outcome,
        len(met),
        position=sided,
    )
    common = {"aspect": aspect, "judgements": len(one), "ties": int((outcome == 0).sum())}
    if isinstance(fit, Undefined):
        return common | {"undefined": fit.to_dict(), "systems": [], "pairs": [], "position": None}
    order = np.argsort([-system.value for system in fit.systems], kind="stable")
    gaps, p_values = fit.differences()
    ends = [(i, j) for place, i in enumerate(order) for j in order[place + 1 :]]
    adjusted = holm([p_values[i, j] for i, j in ends])
    return common | {
        "undefined": None,
        "systems": [
            {"system": names[met[i]], "result": cast(Estimate, fit.systems[i]).to_dict()}
            for i in order
        ],
        "pairs": [
            {
                "first": names[met[i]],
                "second": names[met[j]],
                "difference": float(gaps[i, j]),
                "p_value": float(p_values[i, j]),
                "holm": float(p),
            }
            for (i, j), p in zip(ends, adjusted, strict=True)
        ],
        "position": fit.position.to_dict() if fit.position else None,
    }
