"""Fields for what a campaign decides for itself, or a set for all of its campaigns.

Which texts are rated by how many people, what they consent to, and how they take part.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotation.forms.declared import Fields, field, fields
from annotation.forms.sections import stated_load
from annotation.models import Campaign
from annotation.protocols.language import LANGUAGES, language_of
from annotation.selection.rated_systems import offered_systems, rated_by_default
from corpus.models import Study
from corpus.studies.overview import directions
from corpus.texts.segments import segment_attributes

DESIGNS = [
    (
        value,
        f"{label}: outputs at random, equal loads" if value == Campaign.Design.OVERLAP else label,
    )
    for value, label in Campaign.Design.choices
]


def of_sample(campaigns: Sequence[Campaign]) -> Fields:
    """Return which texts are rated."""
    study, selection = campaigns[0].study, campaigns[0].selection
    systems = [
        (str(each.pk), f"{each.name} ({each.why_not})" if each.why_not else each.name)
        for each in offered_systems(study)
    ]
    rated = [str(pk) for pk in selection.get("system_ids") or rated_by_default(study)]
    found: Fields = {"systems": field("systems", rated, systems)}
    if not campaigns[0].chosen_segments:
        found |= _of_segments(study, selection)
    if any(campaign.rules.layout.rates_sources for campaign in campaigns):
        found |= fields(sources=selection.get("sources"))
    return found | fields(references=selection.get("references"))


def _of_segments(study: Study, selection: Mapping[str, Any]) -> Fields:
    """Return which segments are rated, where they were not chosen before."""
    found: Fields = {}
    ways = [
        (f"{row['source_style']}-to-{row['target_style']}", f"{row['name']} ({row['segments']})")
        for row in directions(study)
    ]
    if len(ways) > 1:
        chosen = selection.get("directions") or [value for value, _ in ways]
        found["directions"] = field("directions", chosen, ways)
    found |= fields(segments=selection.get("segments"))
    names = [(each.name, each.name) for each in segment_attributes(study) if each.values]
    if names:
        found["strata"] = field("strata", selection.get("strata") or [], names)
    return found


def of_design(campaign: Campaign, *, whole: str = "") -> Fields:
    """Return who rates what; `whole` says over what the items of one person are counted."""
    stated = stated_load(campaign)
    each = stated.pop("items_per_person")
    found: Fields = {"design": field("design", campaign.design, DESIGNS)}
    found |= fields(
        ratings_per_item=stated["ratings_per_item"], annotators=stated["annotators"]
    ) | {"items_per_person": field("items_per_person", each, whole=whole)}
    names = [(each.name, each.name) for each in segment_attributes(campaign.study)]
    if names:
        batches = campaign.selection.get("batches", "")
        found["batches"] = field("batches", batches, [("", "chosen at random"), *names])
    return found


def of_language(campaign: Campaign) -> Fields:
    """Return the language of the pages."""
    return {"language": field("language", language_of(campaign.config), list(LANGUAGES.items()))}


def of_consent(campaign: Campaign) -> Fields:
    """Return what annotators agree to and are asked about themselves."""
    return fields(
        consent=campaign.consent,
        content_warning=campaign.content_warning,
        questions="\n".join(campaign.questions),
    )


def of_access(campaign: Campaign, invite_code: str) -> Fields:
    """Return how people take part."""
    return fields(lease_minutes=max(campaign.lease_seconds // 60, 1), by_code=invite_code)


def apply_shared(campaign: Campaign, values: Mapping[str, Any]) -> None:
    """Write the values of these fields into a campaign, which is not stored."""
    systems = [int(pk) for pk in values["systems"]]
    by_default = set(systems) == set(rated_by_default(campaign.study))
    campaign.selection = {
        **campaign.selection,
        # What comes later is rated too, unless the owner chose.
        "system_ids": [] if by_default else systems,
        "directions": values.get("directions") or [],
        "strata": values.get("strata") or [],
        **{name: values.get(name) for name in ("segments", "sources", "references", "batches")},
    }
    campaign.config = {**campaign.config, "language": values["language"]}
    campaign.design = values["design"]
    for name in ("consent", "content_warning"):
        setattr(campaign, name, written(values[name]))
    campaign.questions = [line.strip() for line in values["questions"].splitlines() if line.strip()]
    campaign.lease_seconds = 60 * values["lease_minutes"]


def code_for(invite_code: str, *, wanted: bool) -> str:
    """Return the code of the address for all: the one there is, a new one, or none."""
    if not wanted:
        return ""
    return invite_code or secrets.token_urlsafe(15)


def check_consent(form: forms.Form) -> None:
    """Refuse questions about the annotator without a consent that they are asked with."""
    values = form.cleaned_data
    if values.get("questions", "").strip() and not values.get("consent", "").strip():
        form.add_error("consent", "Questions about the annotator are asked with the consent.")


def written(text: str) -> str:
    """Return a text with the line ends that are stored."""
    return text.replace("\r\n", "\n")
