"""Runs as pages show them: their state in lists, and a summary of the scores of one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Count

from corpus.models import Output, Study, System
from metrics.models import MetricRun, Undefined
from metrics.runs.asking import state_of
from metrics.runs.names import number_name
from metrics.runs.packed_scores import FLOAT_BYTES, load_scores, load_statistics
from metrics.scorers.registry import UnknownMetric, scorer_class
from metrics.scorers.scorer import Floats, Scorer


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run and how it stands."""

    run: MetricRun
    state: str
    texts: int | None
    """Outputs that it has scores for, or a reason; None where it was imported or has none."""
    undefined: int
    """Those of them without a score."""

    @property
    def names(self) -> list[str]:
        """What its numbers are called in reports."""
        run = self.run
        if run.is_distribution or not run.fields:
            return [run.name]
        return [number_name(run.name, field, run.fields) for field in run.fields]

    @property
    def error(self) -> str:
        """Why the last attempt stopped, in words; empty if it did not."""
        if self.run.error or not self.is_open or self.run.job is None:
            return self.run.error
        return self.run.job.error

    @property
    def is_open(self) -> bool:
        """Whether texts lack scores and no job is at work."""
        return self.state not in ("finished", "imported", "waiting", "running")


def listed_runs(study: Study, only: Collection[int] | None = None) -> list[ListedRun]:
    """Return a study's runs, or those of some ids, computed ones first; three queries."""
    found = study.runs.with_stored_bytes().select_related("metric", "job").order_by("origin", "pk")
    if only is not None:
        found = found.filter(pk__in=only)
    runs = list(found)
    outputs = Output.objects.filter(study=study).count()
    missing = dict(
        Undefined.objects.filter(run__in=[run.pk for run in runs])
        .values_list("run")
        .annotate(Count("output", distinct=True))
    )
    return [
        ListedRun(
            run=run,
            state=state_of(run, outputs),
            texts=None
            if run.origin == MetricRun.Origin.IMPORTED or not run.fields
            else run.stored_bytes // (FLOAT_BYTES * len(run.fields)),  # type: ignore[attr-defined]
            undefined=missing.get(run.pk, 0),
        )
        for run in runs
    ]


def stored_scorer(request: Mapping[str, Any], signature: str) -> Scorer | None:
    """Return the scorer of a run that was computed with the metric as it is now.

    Parameters
    ----------
    request
        Of the run; empty of an imported one, which has no scorer.
    signature
        Of the run; it names the revision of the metric.
    """
    if not request:
        return None
    try:
        kind = scorer_class(request["metric"])
    except UnknownMetric:
        return None
    if f"|revision:{kind.spec.revision}|" not in f"{signature}|":
        return None
    return kind(request["parameters"])


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
    statistics = load_statistics(run.pk, outputs=len(rows), names=len(run.statistics))
    scorer = stored_scorer(run.request, run.signature)
    systems = sorted(
        System.objects.filter(study=run.study), key=lambda each: (each.kind != "system", each.pk)
    )
    return [
        _summary(
            system,
            _name(run, field),
            scores[owner == system.pk, column],
            _corpus_score(scorer, statistics[owner == system.pk]) if column == 0 else None,
        )
        for column, field in enumerate(run.fields)
        for system in systems
    ]


def _name(run: MetricRun, field: str) -> str:
    return field if run.is_distribution else number_name(run.name, field, run.fields)


def _summary(system: System, number: str, values: Floats, corpus: float | None) -> SystemSummary:
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


def _corpus_score(scorer: Scorer | None, statistics: Floats) -> float | None:
    """Return the score of many texts together; None where it is not known."""
    known = statistics[~np.isnan(statistics).any(axis=1)]
    if scorer is None or not known.size:
        return None
    try:
        score = scorer.corpus_score(known.sum(axis=0))
    except NotImplementedError:
        return None
    return score if np.isfinite(score) else None
