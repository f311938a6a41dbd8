"""Drafts: held while something is decided about them, and cleared of an interrupted start."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.db.models import QuerySet

from annotation.models import Annotator, Assignment, Campaign, Item

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
