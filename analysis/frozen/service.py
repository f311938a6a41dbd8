"""Freezing reports, sharing them, and computing them again from what was kept."""

import hashlib
import json
import math
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction

from analysis.filter.question import Question
from analysis.frozen.inputs import pack, sha256, unpack
from analysis.models import FrozenReport
from analysis.reports.catalogue import report_kind
from analysis.reports.snapshot import Snapshot, versions
from analysis.tables.files import zip_of
from corpus.access.log import Action, log_access
from corpus.jobs.progress import Progress
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import AuditEntry, Job, Study

TOLERANCE = 1e-12
"""Relative difference that another machine or another version of a library may make."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place at which a report came out otherwise.

    Attributes
    ----------
    place
        Path through the report, such as ``rows/3/results/asked/value``.
    frozen, now
        What was kept, and what came out.
    relative
        |now − frozen| / max(|now|, |frozen|) of two numbers; infinite for anything else.
    """

    place: str
    frozen: Any
    now: Any
    relative: float = math.inf

    @property
    def is_within(self) -> bool:
        """Whether rounding explains it."""
        return self.relative <= TOLERANCE


def differences(frozen: Any, now: Any, place: str = "") -> Iterator[Difference]:
    """Yield every place at which two JSON documents differ, bit by bit.

    Examples
    --------
    >>> [each.place for each in differences({"r": [1.0, 2.0]}, {"r": [1.0, 2.5], "n": 3})]
    ['n', 'r/1']
    """
    if isinstance(frozen, dict) and isinstance(now, dict):
        for name in sorted(frozen.keys() | now.keys()):
            inner = f"{place}/{name}" if place else str(name)
            if name in frozen and name in now:
                yield from differences(frozen[name], now[name], inner)
            else:
                yield Difference(inner, frozen.get(name, "(absent)"), now.get(name, "(absent)"))
    elif isinstance(frozen, list) and isinstance(now, list) and len(frozen) == len(now):
        for index, (left, right) in enumerate(zip(frozen, now, strict=True)):
            yield from differences(left, right, f"{place}/{index}" if place else str(index))
    elif frozen != now or type(frozen) is not type(now):
        yield Difference(place, frozen, now, _relative(frozen, now))


def _relative(frozen: Any, now: Any) -> float:
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (frozen, now))
    if not numbers or not (math.isfinite(frozen) and math.isfinite(now)):
        return math.inf
    largest = max(abs(frozen), abs(now))
    return abs(now - frozen) / largest if largest else 0.0


QUICK = 10_000_000
"""Half of what a page computes while it waits: freezing computes, and packs the inputs."""


@dataclass(frozen=True)
class Verification:
    """What computing a frozen report again gave.

    Attributes
    ----------
    differences
        Every place that is not equal to the bit.
    versions
        Name to the version then and now, where they differ.
    is_damaged
        Whether the kept inputs are no longer those that were frozen.
    """

    differences: tuple[Difference, ...]
    versions: dict[str, tuple[str, str]]
    is_damaged: bool = False

    @property
    def is_equal(self) -> bool:
        """Whether every number is the same to the bit."""
        return not self.differences and not self.is_damaged

    @property
    def is_reproduced(self) -> bool:
        """Whether every number is the same up to rounding."""
        return not self.is_damaged and all(each.is_within for each in self.differences)


def freeze_or_job(
    study: Study, kind: str, question: Question, user: User | None, title: str = ""
) -> FrozenReport | Job:
    """Freeze a report now where that is quick, else by a job.

    Raises
    ------
    analysis.filter.question.QuestionError
        As `freeze`.
    """
    snapshot = Snapshot.of(study, kind, question)
    snapshot.check()
    if snapshot.cost <= QUICK:
        return freeze(study, kind, question, user, title)
    parameters = {"kind": kind, "question": question.to_query(), "title": title}
    key = f"freeze:{study.pk}:{hashlib.sha256(json.dumps(parameters).encode()).hexdigest()}"
    try:
        return ask_for_job("freeze", key, study=study, user=user, parameters=parameters)
    except JobActive as error:
        return error.job


def run_freeze(job: Job, progress: Progress) -> dict[str, Any]:
    """Freeze a report as a job."""
    if job.study is None:
        raise JobError("the study of this report no longer exists")
    asked = job.parameters
    progress.report(f"computing the {asked['kind']} report and keeping its inputs")
    question = Question.parse(asked["question"])
    frozen = freeze(job.study, asked["kind"], question, job.created_by, asked["title"])
    return {"frozen": frozen.pk, "sha256": frozen.sha256}


def freeze(
    study: Study, kind: str, question: Question, user: User | None, title: str = ""
) -> FrozenReport:
    """Compute a report with one thread and keep it with all that it was computed from.

    The same report frozen again is the one that is kept.

    Raises
    ------
    analysis.filter.question.QuestionError
        If the question has a field that this kind of report does not use.
    """
    snapshot = Snapshot.of(study, kind, question)
    snapshot.check()
    inputs = pack(
        snapshot.data,
        list(snapshot.published),
        statistics=snapshot.kind.statistics,
        answers={pair.partition(":")[0] for pair in question.about},
    )
    report = snapshot.marked(recomputed(study, inputs, kind, question))
    text = canonical_json(report)
    fingerprint = content_sha256(text)
    with transaction.atomic():
        known = FrozenReport.objects.filter(study=study, sha256=fingerprint).first()
        if known is not None:
            return known
        frozen = FrozenReport.objects.create(
            study=study,
            title=title or _default_title(study, kind),
            kind=kind,
            question=question.to_query(),
            content_json=text,
            sha256=fingerprint,
            inputs=inputs,
            inputs_sha256=sha256(inputs),
            created_by=user,
        )
        _record(frozen, user, "freeze report", {"kind": kind, "sha256": fingerprint})
    return frozen


def recomputed(study: Study, inputs: bytes, kind: str, question: Question) -> dict[str, Any]:
    """Compute a report from packed inputs, with one thread so that sums keep their order."""
    from threadpoolctl import threadpool_limits

    data, published = unpack(inputs)
    with threadpool_limits(limits=1):
        report = Snapshot(study, report_kind(kind), question, data, published).computed()
    # As it is read back from the store: numbers of Python, lists, names as text.
    return cast(dict[str, Any], json.loads(json.dumps(report)))


def canonical_json(report: dict[str, Any]) -> str:
    """Return a report as text that is the same wherever its numbers, question and versions are."""
    return json.dumps(report, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def content_sha256(canonical: str) -> str:
    """Hash a report in canonical JSON."""
    return hashlib.sha256(canonical.encode()).hexdigest()


def saved(frozen: FrozenReport, report: dict[str, Any], inputs: bytes, **hashes: str) -> bytes:
    """Return a report with its inputs as one zip, as `verify_report` reads it.

    Report and inputs are those that were frozen, or what was published of them.
    """
    facts = {"title": frozen.title, "kind": frozen.kind, "question": frozen.question, **hashes}
    study = {"slug": frozen.study.slug, "simulated": frozen.study.simulated}
    whole = facts | {"study": study, "report": report}
    text = json.dumps(whole, ensure_ascii=False, indent=2)
    return zip_of({"report.json": text.encode(), "inputs.zip": inputs})


def verify(frozen: FrozenReport) -> Verification:
    """Compute a frozen report again from its kept inputs and compare every number."""
    inputs = bytes(frozen.inputs)
    if (
        sha256(inputs) != frozen.inputs_sha256
        or content_sha256(frozen.content_json) != frozen.sha256
    ):
        return Verification((), {}, is_damaged=True)
    now = recomputed(frozen.study, inputs, frozen.kind, Question.parse(frozen.question))
    kept = frozen.content
    before, after = kept["versions"], versions()
    return Verification(
        tuple(differences(kept["content"], now["content"])),
        {
            name: (before.get(name, "–"), after.get(name, "–"))
            for name in before | after
            if before.get(name) != after.get(name)
        },
    )


def share(frozen: FrozenReport, user: User) -> None:
    """Give a frozen report an address that needs no sign-in; a shared one keeps its own."""
    with transaction.atomic():
        frozen = FrozenReport.objects.select_for_update().get(pk=frozen.pk)
        if frozen.token is None:
            frozen.token = secrets.token_urlsafe(24)
            frozen.save(update_fields=["token"])
            _record(frozen, user, "share report", {"sha256": frozen.sha256})
            words = f"address of frozen report {frozen.pk}"
            log_access(Action.PUBLISHED, words, person=user, study=frozen.study)


def stop_sharing(frozen: FrozenReport, user: User) -> None:
    """Take the address away; the report stays."""
    with transaction.atomic():
        if FrozenReport.objects.filter(pk=frozen.pk).exclude(token=None).update(token=None):
            _record(frozen, user, "stop sharing report", {"sha256": frozen.sha256})


def _record(frozen: FrozenReport, user: User | None, action: str, after: dict[str, Any]) -> None:
    AuditEntry.record(frozen.study, user, action, frozen.title, after=after)


def _default_title(study: Study, kind: str) -> str:
    return f"{kind.capitalize()} of {study}"[:200]
