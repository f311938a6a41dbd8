"""What a preregistration says, as JSON with a hash and as text."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from analysis.reports.catalogue import LISTED
from annotation.designs.stopping import rule_of
from annotation.models import Campaign
from annotation.selection.rated_systems import rated_by_default
from corpus.models import System
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
        "stopping": _rule_in_words(rule.in_words(names), rule.method, rule) if rule else None,
    }


def _rule_in_words(words: str, method: str, rule: Any) -> dict[str, Any]:
    return {
        "enough_when": words,
        "method": method,
        "adaptive": rule.adaptive,
        "automatic": rule.automatic,
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
