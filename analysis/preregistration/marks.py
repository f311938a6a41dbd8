"""Whether a report answers what was registered, or explores."""

from typing import Any

from analysis.filter.question import Question, QuestionError
from analysis.models import Preregistration
from analysis.preregistration.service import latest_of_study
from annotation.models import Campaign
from corpus.models import Study
from corpus.vocabulary.publication_details import STATED

CONFIRMATORY, EXPLORATORY = "confirmatory", "exploratory"
IMPORTED = "imported plan"
"""The analysis of a plan of which a file says when it was registered; this server did not see it,
or did not see the ratings given."""


def mark_of(study: Study, kind: str, question: Question) -> dict[str, Any] | None:
    """Return how a report relates to the preregistrations of its campaigns; None without any.

    A report is confirmatory if it is of the registered kind and every part of its question is the
    registered one: campaign, aspect, statistics, tests and seeds, and if this server saw both the
    plan and the ratings come about. Everything else is exploratory, or that of an imported plan.
    """
    plans = latest_of_study(study)
    if question.campaign:
        plans = [each for each in plans if each.campaign == question.campaign]
    if not plans:
        return None
    asked = question.to_query()
    same = [
        each
        for each in plans
        if _is_primary(each.content["primary"], kind, asked)
        and (question.campaign or not _others_enter(study, each.campaign))
    ]
    found = (same or plans)[0]
    unseen = _unseen(study, found)
    return {
        "standing": (IMPORTED if unseen else CONFIRMATORY) if same else EXPLORATORY,
        "unseen": unseen,
        "campaign": found.campaign,
        "version": found.version,
        "registered_at": found.content["registered_at"],
        "sha256": found.sha256,
        "others": len(same or plans) - 1,
    }


def in_words(mark: dict[str, Any]) -> str:
    """Return a mark as one line of a file's header."""
    plan = f"campaign {mark['campaign']}, version {mark['version']}, {mark['registered_at']}"
    plan = f"({plan}, SHA-256 {mark['sha256']}{'; ' if mark['unseen'] else ''}{mark['unseen']})"
    if mark["standing"] == CONFIRMATORY:
        return f"confirmatory, as preregistered {plan}"
    if mark["standing"] == IMPORTED:
        return f"the analysis of an imported plan {plan}"
    return f"exploratory: not the preregistered analysis {plan}"


def _unseen(study: Study, plan: Preregistration) -> str:
    """Say what of plan and ratings this server did not see come about; empty if it saw both."""
    if plan.is_imported:
        return STATED
    imported = study.campaigns.filter(slug=plan.campaign, origin=Campaign.Origin.IMPORTED)
    return "its ratings were imported" if imported.exists() else ""


def _others_enter(study: Study, campaign: str) -> bool:
    """Whether a report of all campaigns has ratings of others, which the plan is not about."""
    return (
        study.campaigns.exclude(slug=campaign)
        .filter(annotators__submissions__isnull=False)
        .exists()
    )


def _is_primary(primary: dict[str, Any], kind: str, asked: dict[str, list[str]]) -> bool:
    if primary["kind"] != kind:
        return False
    try:
        return Question.parse(primary["question"]).to_query() == asked
    except QuestionError:
        # Registered with a version that knew other fields.
        return False
