"""How much a metric's scores depend on which of several references they are against."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from analysis.charts.chart import format_number
from analysis.data.arrays import Floats
from analysis.data.selection import select
from analysis.data.study_data import RunView, StudyData
from analysis.filter.question import Question
from analysis.reports.summaries import Sentence, said
from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.results import Result
from metrics.runs.requests import RunRequest
from metrics.scorers.registry import scorers

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
