"""What a protocol brings to a campaign: guidelines, practice items and words on the scales.

All of it is the owner's to change. What was not changed follows the campaign's settings.
"""

from typing import Any

from annotation.models import Campaign
from annotation.protocols.guidelines.asked import Direction
from annotation.protocols.guidelines.catalogue import Brought, brought
from annotation.protocols.language import language_for, language_of
from corpus.studies.overview import directions
from corpus.texts.masking import PLACEHOLDER


def brought_to(campaign: Campaign) -> Brought:
    """Return what its protocol brings to a campaign as it is configured now.

    Practice items are sentences in the campaign's language: texts in another one get none.

    Raises
    ------
    ConfigError
        If the configuration cannot be used.
    """
    chosen = campaign.selection.get("directions") or []
    ways = [
        Direction(row["source_style"], row["target_style"])
        for row in directions(campaign.study)
        if not chosen or f"{row['source_style']}-to-{row['target_style']}" in chosen
    ]
    mask = campaign.selection.get("mask") or {}
    found = brought(campaign.rules, campaign.config, ways, mask.get("placeholder", PLACEHOLDER))
    if language_for(campaign.study.language, otherwise="") != language_of(campaign.config):
        found.practice.clear()
    return found


def bring(campaign: Campaign) -> None:
    """Give a new campaign what its protocol brings; the campaign is not stored yet."""
    found = brought_to(campaign)
    campaign.guidelines = found.guidelines
    campaign.selection = {**campaign.selection, "practice": found.practice}
    campaign.config = {
        **campaign.config,
        "labels": {**found.labels, **campaign.config.get("labels", {})},
    }


def follow(campaign: Campaign, before: Brought) -> None:
    """Let what the owner has not changed follow the settings; the campaign is not stored yet.

    Parameters
    ----------
    campaign
        With its new settings.
    before
        What its protocol brought under the old ones.
    """
    now = brought_to(campaign)
    if campaign.guidelines == before.guidelines:
        campaign.guidelines = now.guidelines
    if campaign.selection.get("practice") == before.practice:
        campaign.selection = {**campaign.selection, "practice": now.practice}
    labels: dict[str, Any] = dict(campaign.config.get("labels", {}))
    for aspect, words in now.labels.items():
        if labels.get(aspect) == before.labels.get(aspect):
            labels[aspect] = words
    questions = dict(campaign.config.get("questions", {}))
    for aspect, question in now.questions.items():
        if aspect in questions and questions[aspect] == before.questions.get(aspect):
            questions[aspect] = question
    campaign.config = {**campaign.config, "labels": labels} | (
        {"questions": questions} if questions else {}
    )
