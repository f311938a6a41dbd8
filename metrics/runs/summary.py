"""What a run's scores look like: by system, for sources and for references."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.models import Output, System
from metrics.models import MetricRun
from metrics.runs.corpus_scores import stored_scorer
from metrics.runs.names import number_name
from metrics.runs.packed_scores import load_scores, load_statistics

QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class SystemSummary:
    """One number of a run over one system's outputs; None where nothing is defined."""

    system: System
    number: str
    texts: int
    undefined: int
    mean: float | None
    spread: float | None
    """Standard deviation, ddof 1."""
    quantiles: tuple[float | None, ...]
    corpus: float | None
    """Score of all texts together, where the metric has one."""


def run_summary(run: MetricRun) -> list[SystemSummary]:
    """Summarise each of a run's numbers by system, sources and references last."""
    rows = list(Output.objects.filter(study=run.study).values_list("ordinal", "system_id"))
    owner = np.full(len(rows), -1, dtype=np.int64)
    for ordinal, system in rows:
        owner[ordinal] = system
    scores = load_scores(run.pk, outputs=len(rows), fields=len(run.fields))
    corpus = _CorpusScores(run, len(rows))
    systems = sorted(
        System.objects.filter(study=run.study), key=lambda each: (each.kind != "system", each.pk)
    )
    return [
        _summary(
            system,
            _name(run, field),
            scores[owner == system.pk, column],
            corpus.of(owner == system.pk) if column == 0 else None,
        )
        for column, field in enumerate(run.fields)
        for system in systems
    ]


def _name(run: MetricRun, field: str) -> str:
    return field if run.is_distribution else number_name(run.name, field, run.fields)


def _summary(
    system: System, number: str, values: NDArray[np.float64], corpus: float | None
) -> SystemSummary:
    defined = values[~np.isnan(values)]
    some = len(defined) > 0
    quantiles: Sequence[Any] = (
        np.quantile(defined, QUANTILES).tolist() if some else [None] * len(QUANTILES)
    )
    return SystemSummary(
        system=system,
        number=number,
        texts=len(values),
        undefined=len(values) - len(defined),
        mean=float(defined.mean()) if some else None,
        spread=float(defined.std(ddof=1)) if len(defined) > 1 else None,
        quantiles=tuple(quantiles),
        corpus=corpus,
    )


class _CorpusScores:
    """Scores of many texts together, from their stored sufficient statistics."""

    def __init__(self, run: MetricRun, outputs: int) -> None:
        self._scorer = stored_scorer(run.request, run.signature)
        self._statistics = load_statistics(run.pk, outputs=outputs, names=len(run.statistics))

    def of(self, chosen: NDArray[np.bool_]) -> float | None:
        """Return the score of the chosen outputs together; None where it is not known."""
        rows = self._statistics[chosen]
        known = rows[~np.isnan(rows).any(axis=1)]
        if self._scorer is None or not rows.shape[1] or not len(known):
            return None
        try:
            score = self._scorer.corpus_score(known.sum(axis=0))
        except NotImplementedError:
            return None
        return score if np.isfinite(score) else None
