"""Drafts: what a protocol brings to them, held while decided about, cleared of a start.

Guidelines, practice items and words on the scales are the owner's to change. What was not changed
follows the campaign's settings.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.db.models import QuerySet

from annotation.models import Annotator, Assignment, Campaign, Item
from annotation.protocols.guidelines.asked import Direction
from annotation.protocols.guidelines.documents import Brought, brought
from annotation.protocols.language import language_for, language_of
from corpus.studies.overview import directions
from corpus.texts.masking import PLACEHOLDER

ROWS_AT_ONCE = 1000
Turn = Callable[[], AbstractContextManager[None]]


class LaunchError(ValueError):
    """A campaign that cannot start as it is; the message says what to change."""


def hold_draft(campaign: Campaign) -> Campaign:
    """Return a draft as it is stored, held until the transaction ends.

    Raises
    ------
    LaunchError
        If it was started.
    """
    stored = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if stored.state != Campaign.State.DRAFT:
        raise LaunchError("this campaign was already started")
    return stored


def clear_draft(campaign: Campaign, turn: Turn) -> None:
    """Remove what an interrupted start has written; nobody has seen it.

    Parameters
    ----------
    campaign
    turn
        The transaction of each part.

    Raises
    ------
    LaunchError
        If the campaign was started.
    """
    items = Item.objects.filter(campaign=campaign)
    _remove(campaign, Assignment.objects.filter(item__campaign=campaign), turn)
    _remove(campaign, items.filter(original__isnull=False), turn)
    _remove(campaign, items, turn)
    _remove(campaign, Annotator.objects.filter(campaign=campaign), turn)


def _remove(campaign: Campaign, rows: QuerySet[Any], turn: Turn) -> None:
    while True:
        with turn():
            hold_draft(campaign)
            some = list(rows.order_by("pk").values_list("pk", flat=True)[:ROWS_AT_ONCE])
            rows.model.objects.filter(pk__in=some).delete()
        if len(some) < ROWS_AT_ONCE:
            return


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
