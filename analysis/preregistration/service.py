"""Preregistrations: what they say, registering them before the first rating, reading them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import F, Max, Min, QuerySet
from django.utils import timezone

from analysis.filter.question import Question
from analysis.models import Preregistration
from analysis.reports.catalogue import LISTED
from annotation.designs.stopping import rule_of
from annotation.models import Campaign, Item, Submission
from annotation.selection.rated_systems import rated_by_default
from corpus.models import AuditEntry, Study, System
from corpus.storage.write_turn import in_write_turn
from corpus.vocabulary.publication_details import STATED

FORMAT = "touchstone-preregistration/1"
HEADINGS = {
    "question": "Question and hypotheses",
    "exclusions": "Exclusions",
    "notes": "Further notes",
}


def canonical(content: Mapping[str, Any]) -> str:
    """Return content as text that is the same wherever its parts are."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def design_of(campaign: Campaign) -> dict[str, Any]:
    """Return everything of a campaign that decides which ratings come about, and how."""
    selection, rules = campaign.selection, campaign.rules
    names = dict(System.objects.filter(study=campaign.study).values_list("pk", "name"))
    chosen = selection.get("system_ids") or rated_by_default(campaign.study)
    rule, chosen_segments = rule_of(selection), campaign.chosen_segments
    questions = {each.aspect: each.text for each in rules.questions(campaign.config)}
    return {
        "protocol": campaign.protocol,
        "questions": questions,
        "settings": {each.name: each.read(campaign.config) for each in rules.settings},
        "guidelines_sha256": hashlib.sha256(campaign.guidelines.encode()).hexdigest(),
        "assignment": campaign.design,
        "ratings_per_item": campaign.ratings_per_item,
        "annotators": selection.get("annotators"),
        "seed": campaign.seed,
        "systems": [names[pk] for pk in chosen if pk in names],
        "segments": selection.get("segments"),
        "chosen_segments": chosen_segments.words if chosen_segments else None,
        "strata": selection.get("strata") or [],
        "directions": selection.get("directions") or [],
        "sources": bool(selection.get("sources")),
        "references": bool(selection.get("references")),
        "pairs": selection.get("pairs"),
        "controls": selection.get("controls") or {},
        "stopping": {
            "enough_when": rule.in_words(names),
            "method": rule.method,
            "adaptive": rule.adaptive,
            "automatic": rule.automatic,
        }
        if rule
        else None,
    }


def deviations(registered: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Say in which parts the design of a campaign is no longer the registered one.

    Examples
    --------
    >>> deviations({"seed": 1, "annotators": 3}, {"seed": 1, "annotators": 4})
    ['annotators: registered 3, now 4']
    """
    return [
        f"{name.replace('_', ' ')}: registered {_shown(registered.get(name))}, "
        f"now {_shown(now.get(name))}"
        for name in {**registered, **now}
        if _plain(registered.get(name)) != _plain(now.get(name))
    ]


def as_text(content: Mapping[str, Any], sha256: str, *, is_imported: bool = False) -> str:
    """Return a preregistration as plain text, for an appendix or another registry."""
    primary = content["primary"]
    lines = [
        f"Preregistration of campaign {content['campaign']} of study {content['study']}",
        f"Version {content['version']}, registered {content['registered_at']}"
        f"{f' ({STATED})' if is_imported else ''}",
        f"SHA-256 of the content in canonical JSON: {sha256}",
        "",
    ]
    for name, heading in HEADINGS.items():
        if content.get(name):
            lines += [heading, content[name], ""]
    query = urlencode(primary["question"], doseq=True)
    lines += ["Primary analysis", f"report: {primary['kind']}", f"filter: {query or 'none'}", ""]
    rule = content["design"].get("stopping")
    stop = "none: every item gets all of its ratings"
    if rule:
        stop = f"ratings are enough when {rule['enough_when']} ({rule['method']})"
    lines += ["Stopping rule", stop, "", "Design"]
    design = {name: each for name, each in content["design"].items() if name != "stopping"}
    lines += [f"{name.replace('_', ' ')}: {_shown(each)}" for name, each in design.items()]
    return "\n".join(lines) + "\n"


def report_title(kind: str) -> str:
    """Return what the pages call a kind of report."""
    return next((each.title for each in LISTED if each.key == kind), kind)


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _shown(value: Any) -> str:
    if value in (None, "", [], {}):
        return "none"
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


class RegistrationError(ValueError):
    """A plan that cannot be registered; the message says why."""


@dataclass(frozen=True)
class Checked:
    """A preregistration, and what a look at it finds.

    Parameters
    ----------
    kept
    is_intact
        Whether its content still has its hash.
    is_before_ratings
        Whether this server had it before the first rating, if there is one; of an imported plan or
        imported ratings it cannot know.
    deviations
        In which parts the campaign's design is no longer the registered one.
    """

    kept: Preregistration
    is_intact: bool
    is_before_ratings: bool | None
    deviations: tuple[str, ...]


def why_closed(campaign: Campaign) -> str:
    """Return why a campaign's plan can no longer be registered; empty where it can."""
    if campaign.origin == Campaign.Origin.IMPORTED:
        return "its ratings were imported, so that they were there first"
    if _ratings(campaign).exists():
        return "its first rating is stored"
    return ""


@in_write_turn
def register(
    campaign: Campaign, kind: str, question: Question, words: Mapping[str, str], *,
    public: bool, actor: User | None,
) -> Preregistration:  # fmt: skip
    """Keep a plan as the next version.

    Parameters
    ----------
    campaign
    kind, question
        The report that is the primary analysis.
    words
        Texts of the owner by the names of `HEADINGS`.
    public
        Whether anybody may read it.
    actor

    Raises
    ------
    RegistrationError
        If the first rating is stored.
    """
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if why := why_closed(campaign):
        raise RegistrationError(f"this campaign cannot be preregistered any more: {why}")
    versions = Preregistration.objects.filter(study=campaign.study, campaign=campaign.slug)
    version = (versions.aggregate(last=Max("version"))["last"] or 0) + 1
    now = timezone.now().replace(microsecond=0)
    content = {
        "format": FORMAT,
        "study": campaign.study.slug,
        "campaign": campaign.slug,
        "title": str(campaign),
        "version": version,
        "registered_at": now.isoformat(),
        **{name: text.strip() for name, text in words.items()},
        "primary": {"kind": kind, "question": question.to_query()},
        "design": design_of(campaign),
    }
    text = canonical(content)
    kept = Preregistration.objects.create(
        study=campaign.study,
        campaign=campaign.slug,
        version=version,
        content_json=text,
        sha256=Preregistration.hash_of(text),
        public=public,
        registered_at=now,
    )
    facts = {"version": version, "sha256": kept.sha256}
    AuditEntry.record(campaign.study, actor, "preregister campaign", campaign.slug, after=facts)
    return kept


def versions_of(campaign: Campaign) -> QuerySet[Preregistration]:
    """Return the versions of a campaign's plan; the last one is the one that counts."""
    return _in_order(campaign.study).filter(campaign=campaign.slug)


def checked(kept: Preregistration, campaign: Campaign | None) -> Checked:
    """Compute the hash again, and compare with the campaign as it is."""
    return _compared(kept, _as_it_is(campaign) if campaign else None)


def checked_of_study(study: Study) -> list[Checked]:
    """Look at every version of every campaign's plan, those of a campaign in their order."""
    kept = list(Preregistration.objects.filter(study=study))
    slugs = {each.campaign for each in kept}
    campaigns = Campaign.objects.filter(study=study, slug__in=slugs).select_related("study")
    now = {each.slug: _as_it_is(each) for each in campaigns}
    return [_compared(each, now.get(each.campaign)) for each in kept]


def latest_of_study(study: Study) -> list[Preregistration]:
    """Return the version of each campaign's plan that counts."""
    return list({each.campaign: each for each in _in_order(study)}.values())


def _in_order(study: Study) -> QuerySet[Preregistration]:
    """Return plans with those behind that were registered here: what a file states never counts
    where this server saw a plan.
    """
    plans = Preregistration.objects.filter(study=study)
    return plans.order_by(F("imported_at").desc(nulls_last=True), "version")


def _as_it_is(campaign: Campaign) -> tuple[datetime | None, dict[str, Any], bool]:
    """Return time of the first rating, if any, design, and whether ratings were imported."""
    first = _ratings(campaign).aggregate(first=Min("created_at"))["first"]
    return first, design_of(campaign), campaign.origin == Campaign.Origin.IMPORTED


def _compared(
    kept: Preregistration, now: tuple[datetime | None, dict[str, Any], bool] | None
) -> Checked:
    first, design, are_imported = now or (None, None, False)
    changed = deviations(kept.content["design"], design) if design else []
    is_before: bool | None = first is None or kept.registered_at <= first
    if kept.is_imported or are_imported:
        is_before = None
    return Checked(kept, kept.is_intact, is_before, tuple(changed))


def _ratings(campaign: Campaign) -> Any:
    of_items = Submission.objects.filter(annotator__campaign=campaign)
    return of_items.exclude(item__kind=Item.Kind.PRACTICE)
