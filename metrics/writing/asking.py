"""Asking for outputs of a writer: planned first, then put to a job; and what was written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Count

from corpus.jobs.queue import ask_for_job
from corpus.models import AuditEntry, Job, Output, Study, System
from metrics.models import WrittenText
from metrics.writers.writer import Estimate, Source
from metrics.writing.requests import (
    AT_A_TIME,
    SIGNATURE,
    WRITER,
    PlannedWriting,
    sources_of,
)

KIND = "write"
LOOKED_BACK = 20
"""Earlier jobs that are looked at for the time that an output took."""
ASKED_OF = 200
"""Segments whose sources an estimate reads, spread over all that are to be written."""


class MissingOutputs(NamedTuple):
    """Outputs that are missing for one reason, and the key of their first segment."""

    reason: str
    outputs: int
    first_segment: str


@dataclass(frozen=True)
class Outlook:
    """What a planned writing comes to, before it begins.

    Attributes
    ----------
    segments
        How many are chosen.
    published
        How many of them have an output of this system already.
    kept
        How many were written by an earlier attempt and wait to be published.
    estimate
        What the rest is expected to take; None if the writer does not say.
    """

    segments: int
    published: int
    kept: int
    estimate: Estimate | None

    @property
    def left(self) -> int:
        """How many are still to be written."""
        return self.segments - self.published - self.kept


def key_of(study: Study, signature: str) -> str:
    """Name what two writing jobs must not do at a time."""
    return f"{KIND}:{study.pk}:{digest(signature)[:32]}"


def digest(signature: str) -> str:
    """Return the hash under which texts of a signature wait."""
    return sha256(signature.encode()).hexdigest()


def job_parameters(planned: PlannedWriting) -> dict[str, Any]:
    """Return the parameters of the job that writes what was planned."""
    return {"request": planned.request.to_dict(), "signature": planned.signature}


def ask_for_writing(study: Study, planned: PlannedWriting, user: User | None) -> Job:
    """Put planned outputs to a job.

    Raises
    ------
    JobActive
        If they are being written.
    """
    return ask_for_job(
        KIND,
        key_of(study, planned.signature),
        study=study,
        user=user,
        parameters=job_parameters(planned),
    )


def lacking(study: Study, planned: PlannedWriting) -> list[int]:
    """Return the chosen segments that have no output of this system, in their order."""
    there = set(
        Output.objects.filter(study=study, system__name=planned.request.name).values_list(
            "segment_id", flat=True
        )
    )
    return [pk for pk in planned.segments if pk not in there]


def kept_texts(study: Study, signature: str) -> dict[int, str]:
    """Return the texts that wait to be published, by segment."""
    rows = WrittenText.objects.filter(study=study, signature_sha256=digest(signature))
    return dict(rows.exclude(text="").values_list("segment_id", "text"))


def outlook(study: Study, planned: PlannedWriting) -> Outlook:
    """Say what a planned writing comes to."""
    without = lacking(study, planned)
    waiting = kept_texts(study, planned.signature)
    left = [pk for pk in without if pk not in waiting]
    return Outlook(
        len(planned.segments),
        len(planned.segments) - len(without),
        len(without) - len(left),
        _estimate(study, planned, left),
    )


def reasons(study: Study, signature: str) -> list[MissingOutputs]:
    """Return why outputs are missing, the most frequent reason first."""
    found: dict[str, tuple[int, str]] = {}
    rows = WrittenText.objects.filter(study=study, signature_sha256=digest(signature))
    rows = rows.exclude(reason="").order_by("segment__ordinal")
    for reason, key in rows.values_list("reason", "segment__key"):
        count, first = found.get(reason, (0, key))
        found[reason] = count + 1, first
    by_count = sorted(found.items(), key=lambda each: -each[1][0])
    return [MissingOutputs(reason, count, first) for reason, (count, first) in by_count]


def _estimate(study: Study, planned: PlannedWriting, left: Sequence[int]) -> Estimate | None:
    """Estimate from some of the sources that are left."""
    step = max(1, len(left) // ASKED_OF)
    some = list(left[::step])
    sources: list[Source] = []
    for start in range(0, len(some), AT_A_TIME):
        sources += sources_of(study, some[start : start + AT_A_TIME]).values()
    found = planned.writer.estimate(sources) if sources else None
    if found is None:
        return None
    times = len(left) / len(sources)
    pace = seconds_an_output(planned)
    return Estimate(
        round(found.questions * times),
        round(found.tokens_read * times),
        round(found.tokens_written * times),
        None if pace is None else pace * len(left),
    )


def seconds_an_output(planned: PlannedWriting) -> float | None:
    """Return how long the same writer and model took here for an output the last time."""
    model = planned.request.parameters.get("model")
    ended = Job.objects.filter(
        kind=KIND, state=Job.State.DONE, parameters__request__writer=planned.spec.key, attempts=1
    ).order_by("-pk")
    for job in ended[:LOOKED_BACK]:
        written = sum(counts["added"] for counts in job.result["tables"].values())
        same = job.parameters["request"]["parameters"].get("model") == model
        if same and written and job.started_at and job.finished_at:
            return float((job.finished_at - job.started_at).total_seconds() / written)
    return None


def sentences(
    planned: PlannedWriting, found: Outlook, prices: tuple[float, float] = (0.0, 0.0)
) -> Iterator[str]:
    """Yield what will be written, what is there, and what the rest is expected to take.

    Parameters
    ----------
    planned, found
    prices
        Of a million tokens read and of a million written, in whatever currency; 0 if not known.
    """
    name = planned.request.name
    yield f"{planned.spec.title}: {found.segments:,} segments, as the system “{name}”."
    if found.published:
        yield f"{found.published:,} of them have an output already and stay as they are."
    if found.kept:
        yield f"{found.kept:,} were written by an earlier attempt and are kept."
    for note in planned.notes:
        yield f"{note[0].upper()}{note[1:]}."
    estimate = found.estimate
    if estimate is None or not found.left:
        return
    yield (
        f"Estimate for the {found.left:,} that are left: {estimate.questions:,} questions, about "
        f"{estimate.tokens_read:,} tokens read and at most {estimate.tokens_written:,} written."
    )
    if any(prices):
        cost = (prices[0] * estimate.tokens_read + prices[1] * estimate.tokens_written) / 1e6
        yield f"At these prices that costs at most {cost:.2f}."
    if estimate.seconds is None:
        yield "How long it takes is known after a first run: try it with a few segments."
    else:
        yield f"Time, as the last run with this model took: {duration(estimate.seconds)}."


def duration(seconds: float) -> str:
    """Say how long something takes, roughly.

    Examples
    --------
    >>> duration(12), duration(600), duration(9000)
    ('about 12 seconds', 'about 10 minutes', 'about 2.5 hours')
    """
    if seconds < 90:
        return f"about {max(1, round(seconds))} seconds"
    if seconds < 5400:
        return f"about {seconds / 60:.0f} minutes"
    return f"about {seconds / 3600:.1f} hours"


@dataclass(frozen=True)
class WrittenSystem:
    """A system that was written here.

    Attributes
    ----------
    system
    outputs
        How many outputs it has.
    signature
        In full, as the record has it.
    missing
        Reason, number of outputs, key of the first segment.
    """

    system: System
    outputs: int
    signature: str
    missing: list[MissingOutputs]

    @property
    def attributes(self) -> dict[str, Any]:
        """What is declared of it."""
        return dict(self.system.attributes)

    @property
    def missing_count(self) -> int:
        """How many outputs are missing with a reason."""
        return sum(count for _, count, _ in self.missing)


def written_systems(study: Study) -> list[WrittenSystem]:
    """Return the systems that were written here, in the order of the study."""
    systems = study.systems.filter(kind=System.Kind.SYSTEM).annotate(texts=Count("outputs"))
    chosen = [each for each in systems if {WRITER, SIGNATURE} <= each.attributes.keys()]
    records = AuditEntry.objects.filter(study=study, action="write outputs").order_by("pk")
    full = {
        about: (after or {}).get("signature", "")
        for about, after in records.values_list("object", "after")
    }
    return [
        WrittenSystem(
            each,
            each.texts,
            signature := full.get(each.name) or each.attributes[SIGNATURE],
            reasons(study, signature),
        )
        for each in chosen
    ]
