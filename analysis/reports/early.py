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
_WITHOUT_TESTS = {"interval": None, "p_value": None}


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
    content = framed(study, data, kind, question, ()) | {"early": True}
    built = report_kind(kind).build(Asked(asked, question, early=True))
    content["content"] = values_alone(built.to_dict())
    store_result(study, data.ratings_sha256, signature, kind, content)
    return content


def values_alone(part: Any) -> Any:
    """Return a part of a report without its intervals and p-values, whatever they rest on.

    Some statistics have an interval by a formula, which the whole report may replace by one that
    is drawn: nothing is shown that may change.
    """
    if isinstance(part, list):
        return [values_alone(each) for each in part]
    if isinstance(part, dict):
        kept = {name: values_alone(each) for name, each in part.items()}
        return kept | _WITHOUT_TESTS if part.get("kind") == "estimate" else kept
    return part


def has_early_values(study: Study, kind: str, question: Question) -> bool:
    """Whether the values of a report are stored."""
    data = matrices.load(study, withdrawn=question.withdrawn == "in")
    return stored_result(study, data.ratings_sha256, _signature(data, kind, question)) is not None


def _signature(data: StudyData, kind: str, question: Question) -> str:
    whole = report_signature(data, kind, question, ())
    return sha256(f"early {whole}".encode()).hexdigest()
