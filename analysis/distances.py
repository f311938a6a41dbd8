"""How far from their sources the texts of people are, metric by metric, across studies."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.data import matrices, states
from analysis.data.arrays import Floats
from analysis.data.study_data import RunView, StudyData
from corpus.models import Study

SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Spread:
    """Scores of some texts: how many, their mean and standard deviation; None where there are none.

    The deviation divides by n.
    """

    n: int
    mean: float | None = None
    sd: float | None = None


@dataclass(frozen=True, slots=True)
class Distance:
    """Scores of one study against its sources, by who wrote the texts."""

    study: Study
    run: RunView
    references: Spread
    people: Spread
    systems: Spread


@dataclass(frozen=True)
class MetricDistances:
    """One metric under one signature, in every study that has it."""

    metric: str
    text_setting: str
    signature: str
    studies: tuple[Distance, ...]


_KEPT: dict[int, tuple[list[str], tuple[Distance, ...]]] = {}
"""Of each study the scores that its distances were computed from, and the distances."""


def source_distances(studies: Sequence[Study]) -> list[MetricDistances]:
    """Return the scores against the source, the same signature together, by metric."""
    together: dict[tuple[str, str, str], list[Distance]] = {}
    for study in studies:
        for each in _of_study(study):
            key = (each.run.metric, each.run.text_setting, each.run.signature)
            together.setdefault(key, []).append(each)
    return [MetricDistances(*key, studies=tuple(found)) for key, found in sorted(together.items())]


def _of_study(study: Study) -> tuple[Distance, ...]:
    runs = study.runs.published().filter(compared_to=SOURCE, is_distribution=False)
    scores = sorted(runs.values_list("content_sha256", flat=True))
    state = [states.state_token(study), *scores]
    known = _KEPT.get(study.pk)
    if known is not None and known[0] == state:
        return known[1]
    data = matrices.load(study)
    groups = _groups(data)
    found = tuple(
        Distance(study, run, *(_spread(data.scores(run)[group, run.column]) for group in groups))
        for run in data.runs
        if run.compared_to == SOURCE and not run.is_distribution
    )
    _KEPT[study.pk] = (state, found)
    return found


def _groups(data: StudyData) -> tuple[NDArray[np.bool_], ...]:
    """Return which ordinals are references, people's outputs, and systems' outputs."""
    # The last one stands for what belongs to no system.
    human = np.array([*(system.human for system in data.systems), False])
    baseline = np.array([*(system.is_baseline for system in data.systems), False])
    by_people = human[data.column_of_output]
    of_systems = data.system_outputs & ~baseline[data.column_of_output]
    references = data.kind_of_output == "reference"
    return references, of_systems & by_people, of_systems & ~by_people


def _spread(scores: Floats) -> Spread:
    known = scores[np.isfinite(scores)]
    if not len(known):
        return Spread(0)
    return Spread(len(known), float(known.mean()), float(known.std()))
