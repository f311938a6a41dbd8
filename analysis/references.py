"""References in reports: how far they are from their sources, and whether their choice matters."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from analysis.charts.chart import format_number
from analysis.data import matrices, states
from analysis.data.arrays import Floats
from analysis.data.selection import select
from analysis.data.study_data import RunView, StudyData
from analysis.filter.question import Question
from analysis.reports.summaries import Sentence, said
from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.results import Result
from corpus.models import Study
from metrics.runs.requests import RunRequest
from metrics.scorers.registry import scorers

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
    # The last one is for what belongs to no system.
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


_REFERENCE = re.compile(r"reference\.\d+")
_ANY = "reference.*"


@dataclass(frozen=True, slots=True)
class ReferencePair:
    """Scores of one metric against two references, over the same outputs of systems."""

    metric: str
    text_setting: str
    first: str
    second: str
    result: Result
    tau_like: Result


def reference_pairs(data: StudyData) -> list[ReferencePair]:
    """Correlate the scores against each two references, for every metric that has them.

    Pooled Pearson r over the outputs of systems, human-written ones left out, and τ-like: how far
    pairs of outputs that the first reference tells apart come in the same order by the other.
    Intervals by a bootstrap over segments. Runs go together if their signatures differ by the
    reference alone.
    """
    cells = select(data, Question())

    def scores(run: RunView) -> Floats:
        return cells.of(data.matrix(data.scores(run)[:, run.column]))

    found = []
    for one, other in _pairs(data):
        first, second = scores(one), scores(other)
        variant = {"between": f"{one.compared_to} and {other.compared_to}"}
        found.append(
            ReferencePair(
                one.metric,
                one.text_setting,
                one.compared_to,
                other.compared_to,
                bootstrap_correlation(first, second, variant=variant),
                # In place of human scores: those against the first reference.
                tau_like(second, first, human_scores="first-reference", variant=variant),
            )
        )
    return found


def reference_sentences(pairs: Sequence[ReferencePair]) -> list[Sentence]:
    """Say between which correlations the choice of the reference leaves metrics."""
    known = [(value, pair) for pair in pairs if (value := pair.result.value) is not None]
    if not known:
        return []
    low, high = (end(known, key=lambda entry: entry[0]) for end in (min, max))
    if len(known) == 1:
        return [said(f"Scores against {_between(low[1])} correlate at r = {_named(*low)}.")]
    return [
        said(
            "Scores against one reference correlate with those against another at r = "
            f"{_named(*low)} to {_named(*high)}."
        ),
        said("Where r is low, scores against a single reference say little."),
    ]


def _named(value: float, pair: ReferencePair) -> str:
    return f"{format_number(value, 2)} ({pair.metric})"


def _between(pair: ReferencePair) -> str:
    return f"{pair.first} and {pair.second}"


def requests_against_each() -> list[RunRequest]:
    """Return a request for each default metric that compares with one reference."""
    return [
        RunRequest(key, against="reference")
        for key, scorer in scorers().items()
        if scorer.spec.is_default and "reference" in scorer.spec.comparisons
    ]


def _pairs(data: StudyData) -> Iterator[tuple[RunView, RunView]]:
    alike: dict[tuple[str, int], list[RunView]] = {}
    for run in data.runs:
        if _REFERENCE.fullmatch(run.compared_to) and not run.is_distribution:
            key = _REFERENCE.sub(_ANY, run.signature), run.column
            alike.setdefault(key, []).append(run)
    for runs in alike.values():
        yield from combinations(sorted(runs, key=lambda run: run.compared_to), 2)
