"""The scoring job: reads texts block by block, asks scorers, stores each block when it is done."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import numpy as np

from corpus.jobs.parts import divide, finish_parts
from corpus.jobs.progress import Progress, holding
from corpus.jobs.worker import JobError
from corpus.models import AuditEntry, Job, Output, Study
from corpus.models.job import ACTIVE_STATES
from metrics.models import BLOCK_SIZE, MetricRun
from metrics.runs.block_texts import BlockTexts
from metrics.runs.combined_parts import combined_scores
from metrics.runs.judge_questions import short_duration
from metrics.runs.packed_scores import Gap, content_sha256, gaps, store_block
from metrics.runs.requests import PlannedRun, Planner, RequestError, RunRequest
from metrics.scorers.combination import Combination
from metrics.scorers.guarded import GuardedScorer, ScorerFails
from metrics.scorers.registry import UnknownMetric
from metrics.scorers.scorer import Scores, Texts, Unavailable

logger = logging.getLogger(__name__)

PART = "score part"
MOST_PARTS = 64
OTHER_VERSIONS = (
    "what computes this metric has changed since the run was asked for, and one run holds numbers "
    "of one version only: ask for it again"
)


_remembered: dict[int | None, dict[int, GuardedScorer]] = {}
"""Guarded scorers by the keys of their runs, of the one job that was worked on last."""


@dataclass
class _Work:
    """One run on its way."""

    run: MetricRun
    planned: PlannedRun
    gaps: dict[int, Gap]

    @property
    def missing(self) -> int:
        """How many outputs have no scores."""
        return sum(gap.size for gap in self.gaps.values())

    @property
    def is_combined(self) -> bool:
        """Whether it combines scores of other runs."""
        return isinstance(self.planned.scorer, Combination)

    @property
    def is_divisible(self) -> bool:
        """Whether any worker may score any block, without the others."""
        return not self.is_combined and "naturalness" not in self.planned.spec.needs

    @property
    def _guarded(self) -> GuardedScorer:
        """What the parts of one job share in this process: equal texts are computed once."""
        if self.run.job_id not in _remembered:
            _remembered.clear()
        known = _remembered.setdefault(self.run.job_id, {})
        return known.setdefault(self.run.pk, GuardedScorer(self.planned.scorer))

    def ask(
        self, texts: Texts, block: int, ordinals: list[int], report_rows: Callable[[int], object]
    ) -> Scores:
        """Return the scores of texts, or of their stored scores where the metric combines some."""
        scorer = self.planned.scorer
        if not isinstance(scorer, Combination):
            return self._guarded.score(texts, report_rows)
        return combined_scores(scorer, self.planned.parts, texts, block, ordinals)


@dataclass
class _Pace:
    """How fast the job goes, in words."""

    total: int
    done: int = 0
    started: float = field(default_factory=monotonic)

    def words(self, now_done: int) -> str:
        """Return rate and time left; empty as long as nothing is known."""
        seconds = monotonic() - self.started
        if not now_done or seconds < 1:
            return ""
        rate = now_done / seconds
        left = (self.total - now_done) / rate
        return f"{rate:,.0f} texts/s, {short_duration(left)} left"


def run_score(job: Job, progress: Progress) -> dict[str, Any]:
    """Score what the runs of a job lack; the same job may run again after its worker was killed.

    Blocks of metrics that know texts only are parts that any worker takes. What is trained on the
    study stays with this one, and what combines scores comes when they are there. A run whose
    weights are missing or whose scorer fails stops by itself, with its words.

    Raises
    ------
    JobError
        If no run could be finished.
    """
    study = job.study
    if study is None:
        raise JobError("the study of these runs no longer exists")
    runs, elsewhere = _claimed(job)
    outputs = Output.objects.filter(study=study).count()
    missing = {run.pk: sum(gap.size for gap in gaps(run, outputs)) for run in runs}
    finish_parts(job, progress, "finishing what was begun")
    works = [work for run in runs if (work := _begun(study, run, range(outputs)))]
    divided = [work for work in works if work.is_divisible]
    blocks = sorted({number for work in divided for number in work.gaps})
    if len(blocks) > 1:
        divide(job, PART, list(_parts(divided, blocks, outputs)))
    else:
        divided = []
    left = [work for work in works if work not in divided]
    _score_blocks(job, progress, study, [each for each in left if not each.is_combined])
    finish_parts(job, progress, f"scoring {', '.join(work.run.name for work in divided)}")
    for work in divided:
        work.run.refresh_from_db(fields=["error"])
    _score_blocks(job, progress, study, [each for each in left if each.is_combined])
    for work in works:
        is_new = missing[work.run.pk] or not work.run.content_sha256
        if is_new and not work.run.error and not any(gaps(work.run, outputs)):
            with holding(job):
                _publish(job, work.run, missing[work.run.pk])
    _remembered.clear()
    return _result([work.run for work in works], missing, outputs, [*elsewhere, *_notes(runs)])


def run_score_part(job: Job, progress: Progress) -> dict[str, Any]:
    """Score some blocks of some runs, for the job of which this is a part."""
    study, chosen = job.study, job.parameters
    if study is None or job.parent is None:
        raise JobError("the study of these runs no longer exists")
    runs = MetricRun.objects.filter(pk__in=chosen["runs"], job=job.parent, error="").order_by("pk")
    ordinals = range(*chosen["ordinals"])
    works = [work for run in runs if (work := _begun(study, run, ordinals))]
    _score_blocks(job, progress, study, works)
    return {}


def _parts(works: Sequence[_Work], blocks: Sequence[int], outputs: int) -> Iterator[dict[str, Any]]:
    """Yield the parameters of parts: some blocks each, not too many parts for a large study."""
    together = -(-len(blocks) // MOST_PARTS)
    for first in range(0, len(blocks), together):
        some = blocks[first : first + together]
        busy = [work for work in works if not work.gaps.keys().isdisjoint(some)]
        yield {
            "runs": [work.run.pk for work in busy],
            "ordinals": [some[0] * BLOCK_SIZE, min(outputs, (some[-1] + 1) * BLOCK_SIZE)],
            "size": sum(
                work.gaps[number].size for work in busy for number in some if number in work.gaps
            ),
        }


def _score_blocks(job: Job, progress: Progress, study: Study, works: Sequence[_Work]) -> None:
    """Score what some runs lack, block by block; `job` is the whole or the part in hand."""
    pace = _Pace(sum(work.missing for work in works))
    for number in sorted({number for work in works for number in work.gaps}):
        busy = [work for work in works if number in work.gaps and not work.run.error]
        if busy:
            start = min(work.gaps[number].start for work in busy)
            texts = BlockTexts(study, start, max(work.gaps[number].stop for work in busy))
            for work in busy:
                _score_block(job, progress, pace, work, texts, start, work.gaps[number])


def _claimed(job: Job) -> tuple[list[MetricRun], list[str]]:
    """Take the job's runs; name those that another job works on meanwhile."""
    wanted = MetricRun.objects.filter(pk__in=job.parameters["runs"], study=job.study)
    wanted = wanted.select_related("metric").order_by("pk")
    with holding(job):
        busy = list(wanted.filter(job__state__in=ACTIVE_STATES).exclude(job=job))
        mine = wanted.exclude(pk__in=[run.pk for run in busy])
        mine.order_by().update(job=job, error="")
    elsewhere = [f"{run.name} is being scored by job {run.job_id}." for run in busy]
    return [run for run in wanted if run.job_id == job.pk], elsewhere


def _begun(study: Study, run: MetricRun, ordinals: range) -> _Work | None:
    """Make a run's scorer for some outputs; None, with the reason stored, if that cannot be."""
    try:
        planned = Planner(study).plan(RunRequest(**run.request))
    except (RequestError, UnknownMetric, Unavailable) as error:
        _stop(run, str(error))
        return None
    if planned.signature != run.signature:
        _stop(run, OTHER_VERSIONS)
        return None
    missing = {gap.block: gap for gap in gaps(run, ordinals.stop) if gap.start >= ordinals.start}
    return _Work(run, planned, missing)


def _stop(run: MetricRun, reason: str) -> None:
    run.error = reason
    MetricRun.objects.filter(pk=run.pk).update(error=reason)


def _score_block(
    job: Job, progress: Progress, pace: _Pace, work: _Work, texts: BlockTexts, first: int, gap: Gap
) -> None:
    """Score one block of one run and store it."""
    places = range(gap.start - first, gap.stop - first)

    def report_rows(rows: int) -> None:
        done = pace.done + min(rows, len(places))
        parts = [f"scoring {work.run.name}", pace.words(done)]
        progress.report(", ".join(filter(None, parts)), done=done, total=pace.total)

    def masked(message: str, number: int, of: int) -> None:
        message = f"{message} for {work.run.name}: {number:,} of {of:,} texts"
        progress.report(message, done=pace.done, total=pace.total)

    report_rows(0)
    planned = work.planned
    against, setting = planned.request.against, planned.setting
    try:
        # Masks by attribution need a model too.
        chosen, scored, reasons = texts.texts(against, setting, places, masked)
        scores = work.ask(chosen, gap.block, [first + place for place in scored], report_rows)
    except (Unavailable, ScorerFails) as error:
        _stop(work.run, str(error))
        return
    rows = np.array(scored, dtype=np.int64) - places.start
    values = np.full((len(places), len(work.run.fields)), np.nan)
    values[rows] = scores.values
    statistics = np.full((len(places), len(planned.spec.statistics)), np.nan)
    statistics[rows] = scores.statistics
    reasons |= {scored[row]: reason for row, reason in scores.undefined.items()}
    empty = np.flatnonzero(np.isnan(values).any(axis=1)) + places.start
    undefined = {texts.outputs[place]: reasons[place] for place in empty.tolist()}
    with holding(job, even_if_cancelled=True):
        store_block(work.run, gap, values, statistics, undefined)
    pace.done += len(places)


def _publish(job: Job, run: MetricRun, scored: int) -> None:
    """Let reports and exports see a run that is whole now."""
    study = Study.objects.select_for_update().get(pk=run.study_id)
    run.content_sha256 = content_sha256(run)
    run.save(update_fields=["content_sha256"])
    study.revision += 1
    study.save(update_fields=["revision"])
    AuditEntry.record(
        study,
        job.created_by,
        "score",
        run.name,
        after={"signature": run.signature, "texts": scored},
    )


def _result(
    runs: Sequence[MetricRun], scored: Mapping[int, int], outputs: int, notes: list[str]
) -> dict[str, Any]:
    done = [run for run in runs if not run.error]
    if notes and not done:
        raise JobError("; ".join(notes), result={"notes": notes})
    return {
        "tables": {
            run.signature: {"added": scored[run.pk], "unchanged": outputs - scored[run.pk]}
            for run in done
        },
        "notes": notes,
    }


def _notes(runs: list[MetricRun]) -> Iterator[str]:
    for run in runs:
        if run.error:
            yield f"{run.name} was not finished: {run.error}"
