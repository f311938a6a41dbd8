"""Whether a report answers what was registered, or explores."""

from typing import Any

from analysis.filter.question import Question, QuestionError
from analysis.preregistration.service import latest_of_study
from corpus.models import Study

CONFIRMATORY, EXPLORATORY = "confirmatory", "exploratory"


def mark_of(study: Study, kind: str, question: Question) -> dict[str, Any] | None:
    """Return how a report stands to the preregistrations of its campaigns; None without any.

    A report is confirmatory if it is of the registered kind and every part of its question is the
    registered one: campaign, aspect, statistics, tests and seeds. Everything else is exploratory.
    """
    plans = latest_of_study(study)
    if question.campaign:
        plans = [each for each in plans if each.campaign == question.campaign]
    if not plans:
        return None
    asked = question.to_query()
    same = [each for each in plans if _is_primary(each.content["primary"], kind, asked)]
    found = (same or plans)[0]
    return {
        "standing": CONFIRMATORY if same else EXPLORATORY,
        "campaign": found.campaign,
        "version": found.version,
        "registered_at": found.content["registered_at"],
        "sha256": found.sha256,
        "others": len(same or plans) - 1,
    }


def in_words(mark: dict[str, Any]) -> str:
    """Return a mark as one line of a file's header."""
    plan = f"campaign {mark['campaign']}, version {mark['version']}, {mark['registered_at']}"
    if mark["standing"] == CONFIRMATORY:
        return f"confirmatory, as preregistered ({plan}, SHA-256 {mark['sha256']})"
    return f"exploratory: not the preregistered analysis ({plan}, SHA-256 {mark['sha256']})"


def _is_primary(primary: dict[str, Any], kind: str, asked: dict[str, list[str]]) -> bool:
    if primary["kind"] != kind:
        return False
    try:
        return Question.parse(primary["question"]).to_query() == asked
    except QuestionError:
        # Registered with a version that knew other fields.
        return False
