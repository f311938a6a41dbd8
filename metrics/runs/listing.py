"""Runs of a study as lists show them: state, texts, missing scores."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count

from corpus.models import Output, Study
from metrics.models import MetricRun, Undefined
from metrics.runs.asking import state_of
from metrics.runs.names import number_name
from metrics.runs.stored_blocks import FLOAT_BYTES


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
