"""The job that writes: what was written is kept at once, and all is published together."""

import logging
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from corpus.jobs.failures import description
from corpus.jobs.parts import divide, finish_parts, job_parts
from corpus.jobs.progress import Progress, holding
from corpus.jobs.worker import JobError
from corpus.models import Job, Study
from corpus.storage.faults import is_of_database, storage_fault
from corpus.storage.storable import unstorable
from corpus.tabular.limits import DEFAULT_LIMITS
from metrics.models import WrittenText
from metrics.scorers.scorer import Unavailable
from metrics.writers.registry import UnknownWriter
from metrics.writers.writer import Report, Source, Writer, WriterError, Written
from metrics.writing.asking import digest, kept_texts, lacking, reasons
from metrics.writing.requests import AT_A_TIME, PlannedWriting, Planner, WritingRequest, sources_of
from metrics.writing.storing import publish_in_turn

PART = "write-part"
MOST_PARTS = 64
SMALLEST_PART = 16
FEW = 5
"""Of fewer sources that all fail, each may be odd by itself; of more, the writer is broken."""
LONGEST_REASON = 500
SHOWN_REASONS = 20
NO_SOURCE = "the segment has no source text"
NOTHING = "the writer wrote nothing"
LEARNT = "the writer's model was trained on this source"
CHANGED = (
    "what the writer learns from, its files or this program have changed since this was asked for: "
    "ask again, and the outputs become another system"
)
_logger = logging.getLogger(__name__)
_planned: dict[int, PlannedWriting] = {}
"""The writing in hand by its job: parts of one job share a loaded writer."""


def run_write(job: Job, progress: Progress) -> dict[str, Any]:
    """Write what a system lacks and publish it; the same job may run again.

    Raises
    ------
    JobError
        If nothing can be written, with the reason in words.
    """
    study, planned = _begun(job, job, progress)
    with holding(job):
        # An attempt that failed or was cancelled is over; what it wrote is kept.
        job_parts(job).filter(state__in=("failed", "cancelled", "done")).delete()
    if job_parts(job).active().exists():
        finish_parts(job, progress, f"writing {planned.request.name}")
    without = lacking(study, planned)
    kept = kept_texts(study, planned.signature)
    left = [pk for pk in without if pk not in kept]
    if planned.spec.is_slow and len(left) >= 2 * SMALLEST_PART:
        divide(job, PART, list(_parts(left)))
        finish_parts(job, progress, f"writing {planned.request.name}")
    else:
        _write(job, progress, study, planned, left)
    _planned.clear()
    return _published(job, progress, study, planned, without)


def run_write_part(job: Job, progress: Progress) -> dict[str, Any]:
    """Write some segments, for the job of which this is a part."""
    if job.parent is None:
        raise JobError("the whole of this part no longer exists")
    study, planned = _begun(job.parent, job, progress)
    kept = kept_texts(study, planned.signature)
    _write(
        job, progress, study, planned, [pk for pk in job.parameters["segments"] if pk not in kept]
    )
    return {}


def _begun(whole: Job, job: Job, progress: Progress) -> tuple[Study, PlannedWriting]:
    """Plan again what was asked for, and make sure that it is still the same."""
    study = whole.study
    if study is None:
        raise JobError("the study of these outputs no longer exists")
    if whole.pk not in _planned:
        progress.report("reading what the writer needs")
        try:
            planned = Planner(study).plan(WritingRequest(**whole.parameters["request"]))
        except (WriterError, UnknownWriter, Unavailable) as error:
            raise JobError(str(error)) from None
        if planned.signature != whole.parameters["signature"]:
            raise JobError(CHANGED)
        _planned.clear()
        _planned[whole.pk] = planned
    return study, _planned[whole.pk]


def _parts(left: Sequence[int]) -> Iterator[dict[str, Any]]:
    size = max(SMALLEST_PART, -(-len(left) // MOST_PARTS))
    for start in range(0, len(left), size):
        some = list(left[start : start + size])
        yield {"segments": some, "size": len(some)}


def _write(
    job: Job, progress: Progress, study: Study, planned: PlannedWriting, left: Sequence[int]
) -> None:
    """Write some segments and keep each batch; `job` is the whole or the part in hand."""
    name, seen, failed = planned.request.name, frozenset(planned.writer.seen), 0
    size = min(planned.spec.together, AT_A_TIME * 10)
    for start in range(0, len(left), size):
        some = left[start : start + size]

        def report(done: int, start: int = start) -> None:
            progress.report(f"writing {name}", done=start + done, total=len(left))

        report(0)
        sources = sources_of(study, some)
        found = {pk: Written(reason=NO_SOURCE) for pk in some if pk not in sources}
        if seen:
            known = [pk for pk, each in sources.items() if _sha256(each.text) in seen]
            found |= {pk: Written(reason=LEARNT) for pk in known}
        asked = [pk for pk in sources if pk not in found]
        try:
            answers, broken = attempt(planned.writer, [sources[pk] for pk in asked], report)
        except (WriterError, Unavailable) as error:
            raise JobError(f"{planned.spec.title}: {error}") from None
        failed = failed + len(broken) if len(broken) == len(asked) else 0
        found |= dict(zip(asked, answers, strict=True))
        _keep(job, study, planned, found)
        if broken and failed >= FEW:
            raise JobError(f"{planned.spec.title} fails on every text: {broken[-1]}")


def attempt(
    writer: Writer, sources: Sequence[Source], report: Report
) -> tuple[list[Written], list[str]]:
    """Return outputs of some sources, and what the writer failed with.

    A writer that fails is asked again for one source at a time, down to the one that it fails on.

    Raises
    ------
    WriterError, metrics.scorers.scorer.Unavailable
        If the writer can write nothing.
    """
    if not sources:
        return [], []
    try:
        found = writer.write(sources, report)
        if len(found) != len(sources):
            raise WriterError(f"it returned {len(found):,} outputs for {len(sources):,} sources")
        return [_checked(each) for each in found], []
    except (WriterError, Unavailable):
        raise
    except Exception as error:
        if is_of_database(error) or storage_fault(error):
            raise
        if len(sources) == 1:
            _logger.warning("a writer failed on a text", exc_info=True)
            words = description(error)
            return [Written(reason=f"the writer failed on this text: {words}")], [words]
    answers, broken = list[Written](), list[str]()
    for number, source in enumerate(sources):
        report(number)
        one, wrong = attempt(writer, [source], report=lambda _: None)
        answers += one
        broken += wrong
        if len(broken) >= FEW and len(broken) == len(answers):
            raise WriterError(f"it fails on every text: {wrong[-1]}")
    return answers, broken


def _checked(written: Written) -> Written:
    """Return an output that can be stored, or say why it cannot."""
    text, reason = written
    if reason:
        return Written(reason=reason[:LONGEST_REASON])
    if not text.strip():
        return Written(reason=NOTHING)
    if len(text) > DEFAULT_LIMITS.field_characters:
        return Written(
            reason=f"the output is longer than {DEFAULT_LIMITS.field_characters:,} signs"
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        return Written(reason="the output is no valid Unicode text")
    if fault := unstorable(text):
        return Written(reason=f"the output has {fault}")
    return written


def _keep(job: Job, study: Study, planned: PlannedWriting, found: dict[int, Written]) -> None:
    signature = digest(planned.signature)
    with holding(job, even_if_cancelled=True):
        WrittenText.objects.bulk_create(
            (
                WrittenText(
                    study=study,
                    signature_sha256=signature,
                    segment_id=pk,
                    text=each.text if not each.reason else "",
                    reason=each.reason,
                )
                for pk, each in found.items()
            ),
            update_conflicts=True,
            unique_fields=["study", "signature_sha256", "segment"],
            update_fields=["text", "reason"],
        )


def _published(
    job: Job, progress: Progress, study: Study, planned: PlannedWriting, wanted: Sequence[int]
) -> dict[str, Any]:
    """Publish what was written, all at once, and say what is missing and why."""
    kept = kept_texts(study, planned.signature)
    texts = [(pk, kept[pk]) for pk in wanted if pk in kept]
    name = planned.request.name
    why = reasons(study, planned.signature)
    decided = [f"{note[0].upper()}{note[1:]}." for note in planned.notes]
    notes = [*decided, *_missing(why, name)]
    if texts:
        publish_in_turn(
            *(job, progress, study, name, planned.attributes, texts),
            action="write outputs",
            facts={"signature": planned.signature},
        )
    elif wanted:
        raise JobError(
            f"{name}: no output was written: {why[0][0] if why else NOTHING}",
            result={"notes": notes},
        )
    _forget(job, study, planned, [pk for pk, _ in texts])
    unchanged = len(planned.segments) - len(wanted)
    return {
        "tables": {name: {"added": len(texts), "unchanged": unchanged}},
        "notes": notes,
        "system": name,
        "signature": planned.signature,
    }


def _forget(job: Job, study: Study, planned: PlannedWriting, published: Sequence[int]) -> None:
    """Delete what waited and is published now."""
    waiting = WrittenText.objects.filter(
        study=study, signature_sha256=digest(planned.signature)
    ).exclude(text="")
    with holding(job):
        for start in range(0, len(published), AT_A_TIME):
            waiting.filter(segment__in=published[start : start + AT_A_TIME]).delete()


def _missing(why: Sequence[tuple[str, int, str]], name: str) -> Iterator[str]:
    for reason, count, first in why[:SHOWN_REASONS]:
        where = f"segment {first}" if count == 1 else f"{count:,} segments, the first {first}"
        yield f"{name} has no output for {where}: {reason}."
    if len(why) > SHOWN_REASONS:
        yield f"{len(why) - SHOWN_REASONS:,} other reasons are not listed."


def _sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
