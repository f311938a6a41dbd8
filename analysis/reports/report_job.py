"""The job of a report, and its parts: pieces of what it computes, for any worker that is free."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any, TypeVar, get_origin, get_type_hints

import numpy as np
from cattrs import Converter

from analysis.filter.question import Question, QuestionError
from analysis.reports.content import converter
from analysis.reports.service import report
from analysis.reports.snapshot import Snapshot
from analysis.stats.pieces import DOING, Piece, in_turn
from corpus.jobs.parts import divide, finish_parts, job_parts
from corpus.jobs.progress import Progress
from corpus.jobs.worker import JobError
from corpus.models import Job
from corpus.progress import ProgressCallback, unreported

T = TypeVar("T")
PART = "report part"
MOST_PARTS = 64

_remembered: dict[tuple[int, str], Sequence[Piece[Any]]] = {}
"""Pieces by job and signature of their report, of the one that was worked on last."""


class _Found(Exception):
    """The pieces of a report are known: whoever computes a part needs no more of it."""

    def __init__(self, pieces: Sequence[Piece[Any]]) -> None:
        super().__init__()
        self.pieces = pieces


def run_report(job: Job, progress: Progress) -> dict[str, Any]:
    """Compute a report as a job; its pieces are computed by every worker that is free."""
    if job.study is None:
        raise JobError("the study of this report no longer exists")
    progress.report(f"computing the {job.parameters['kind']} report")
    kind = job.parameters["kind"]
    try:
        question = Question.parse(job.parameters["question"])
        Snapshot.of(job.study, kind, question).early(at_once=False)
        shared = partial(_SharedPieces, job, progress)
        content = report(job.study, kind, question, progress.report, shared)
    except QuestionError as error:
        # The study may have changed since the question was checked.
        raise JobError(str(error)) from None
    job_parts(job).delete()
    return {"signature": content["signature"], "kind": kind}


def run_report_part(job: Job, progress: Progress) -> dict[str, Any]:
    """Compute some pieces of a report, for the job of which this is a part.

    There are none where the study has changed since, so that they would be pieces of another
    report: the job then computes them itself.
    """
    first, last = job.parameters["pieces"]
    values = []
    try:
        for done, piece in enumerate(_pieces(job, progress)[first:last]):
            progress.report(DOING, done=done, total=last - first)
            values.append(packed(piece))
    except QuestionError as error:
        raise JobError(str(error)) from None
    return {"values": values}


class _SharedPieces:
    """Computes the pieces of a report by parts of its job."""

    def __init__(self, job: Job, progress: Progress, signature: str) -> None:
        self.job, self.progress, self.signature = job, progress, signature

    def __call__(self, pieces: Sequence[Piece[T]], tell: ProgressCallback = unreported) -> list[T]:
        """Compute pieces by all workers; those of a small report here."""
        if len(pieces) < 2:
            return in_turn(pieces, tell)
        _remember(self.job.pk, self.signature, pieces)
        bounds = np.linspace(0, len(pieces), min(MOST_PARTS, len(pieces)) + 1).astype(int).tolist()
        # Of a job that was interrupted, what is done need not be done again.
        begun = job_parts(self.job).filter(parameters__signature=self.signature)
        if begun.exclude(state__in=("failed", "cancelled")).count() != len(bounds) - 1:
            parts = [
                {"signature": self.signature, "pieces": [first, last], "size": last - first}
                for first, last in pairwise(bounds)
            ]
            divide(self.job, PART, parts)
        finish_parts(self.job, self.progress, DOING)
        values: dict[int, T] = {
            number: unpacked(pieces[number], value)
            for part in job_parts(self.job)
            for number, value in enumerate(
                part.result.get("values", ()), part.parameters["pieces"][0]
            )
        }
        _remembered.clear()
        return [
            values[number] if number in values else piece() for number, piece in enumerate(pieces)
        ]


def _pieces(job: Job, progress: Progress) -> Sequence[Piece[Any]]:
    """Return the pieces of the report of which a job is a part; none if it would be another now."""
    parent, signature = job.parent, job.parameters["signature"]
    if job.study is None or parent is None:
        raise JobError("the study of this report no longer exists")
    if (parent.pk, signature) in _remembered:
        return _remembered[parent.pk, signature]
    kind, question = parent.parameters["kind"], Question.parse(parent.parameters["question"])
    snapshot = Snapshot.of(job.study, kind, question)
    if snapshot.signature != signature:
        return ()
    try:
        snapshot.built(progress.report, _stop)
    except _Found as found:
        _remember(parent.pk, signature, found.pieces)
        return found.pieces
    return ()


def _stop(pieces: Sequence[Piece[T]], tell: ProgressCallback = unreported) -> list[T]:
    raise _Found(pieces)


def _remember(job_id: int, signature: str, pieces: Sequence[Piece[Any]]) -> None:
    _remembered.clear()
    _remembered[job_id, signature] = pieces


def packed(piece: Piece[Any]) -> Any:
    """Compute a piece and return its value as JSON."""
    return _converter().unstructure(piece(), unstructure_as=_declared(piece))


def unpacked(piece: Piece[T], stored: Any) -> T:
    """Return the value of a piece that another process packed."""
    value: T = _converter().structure(stored, _declared(piece))
    return value


def _declared(piece: Piece[Any]) -> Any:
    """Return the type that a piece declares to return."""
    return get_type_hints(piece.func if isinstance(piece, partial) else piece)["return"]


@cache
def _converter() -> Converter:
    """Return what reads and writes contents of reports, and arrays too."""
    arrays = converter().copy()
    arrays.register_unstructure_hook_func(_is_array, _array_packed)
    arrays.register_structure_hook_func(_is_array, _array)
    return arrays


def _is_array(annotation: Any) -> bool:
    return np.ndarray in (annotation, get_origin(annotation))


def _array_packed(values: np.ndarray[Any, Any]) -> dict[str, Any]:
    data = b64encode(np.ascontiguousarray(values).tobytes()).decode()
    return {"type": values.dtype.str, "shape": list(values.shape), "base64": data}


def _array(stored: dict[str, Any], _: Any) -> np.ndarray[Any, Any]:
    values = np.frombuffer(b64decode(stored["base64"]), dtype=stored["type"])
    return values.reshape(stored["shape"]).copy()
