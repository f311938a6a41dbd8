"""The values of a report that a job computes: ready before its intervals and tests are."""

from hashlib import sha256
from typing import Any

from analysis.data import matrices
from analysis.data.narrowing import narrowed
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from analysis.reports.catalogue import report_kind
from analysis.reports.frame import framed, report_signature
from analysis.reports.kind import Asked, Size
from analysis.stored_results import store_result, stored_result
from corpus.models import Study

AT_ONCE = 20_000_000
"""Cells × statistics of values that a page computes itself; a job stores those of more."""


def early_values(
    study: Study, kind: str, question: Question, *, at_once: bool = True
) -> dict[str, Any] | None:
    """Return a report without what takes long, from the store if it is there.

    None where this kind of report has no such part, or takes too long for a
    page to compute at once.
    """
    early = report_kind(kind).early
    if early is None:
        return None
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    signature = _signature(data, kind, question)
    if stored := stored_result(study, data.ratings_sha256, signature):
        content: dict[str, Any] = stored.content
        return content
    asked = narrowed(data, question)
    if at_once and early.cost(Size(asked, question)) > AT_ONCE:
        return None
    content = framed(study, data, kind, question, ())
    content["content"] = early.build(Asked(asked, question)).to_dict()
    store_result(study, data.ratings_sha256, signature, kind, content)
    return content


def has_early_values(study: Study, kind: str, question: Question) -> bool:
    """Whether the values of a report are stored."""
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    return stored_result(study, data.ratings_sha256, _signature(data, kind, question)) is not None


def _signature(data: StudyData, kind: str, question: Question) -> str:
    whole = report_signature(data, kind, question, ())
    return sha256(f"early {whole}".encode()).hexdigest()
