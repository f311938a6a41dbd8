"""Strengths of systems whose outputs were judged against each other, by aspect."""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from analysis.data.selection import Cells
from analysis.data.study_data import CHOICES, Floats, StudyData
from analysis.estimates.correlations import system_names
from analysis.reports.system_comparison.many_systems import MOST_LISTED, neighbours
from analysis.stats.resampling.multiplicity import holm
from analysis.stats.results import Estimate, Undefined
from analysis.stats.systems.bradley_terry import fit_strengths


def strengths(data: StudyData, cells: Cells) -> Iterator[dict[str, Any]]:
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
