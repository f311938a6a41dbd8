"""Rounds of the shared queue: opened one after the other, with what was decided meanwhile."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Campaign, Item
from annotation.selection.screen_places import has_many
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.models import AuditEntry
from corpus.storage.write_turn import in_write_turn

LOOK = "stopping rule"
"""The job that looks at a rule and decides what the next round needs."""
_KEYS_AT_ONCE = 500


@dataclass(frozen=True)
class Decision:
    """What a look at a rule means for the queue.

    Parameters
    ----------
    met
        Whether there are enough ratings.
    segments
        How many segments were complete.
    pairs
        Pairs of systems by primary key that still need ratings; None for all.
    """

    met: bool
    segments: int
    pairs: tuple[tuple[int, int], ...] | None = None


def open_next(campaign: Campaign) -> bool:
    """Open the next round that has something to rate; return whether there was one.

    The caller holds the campaign. The work depends on the size of a round alone.
    """
    if not campaign.stopping:
        return False
    stored = Campaign.objects.get(pk=campaign.pk)
    state = stored.stopping
    if _is_stopped(stored):
        return False
    opened = 0
    while not opened and state["open"] < state["rounds"]:
        opened = _open(stored, state["open"] * state["width"])
        state["open"] += 1
        stored.queue_end += state["width"]
    stored.save(update_fields=["stopping", "queue_end"])
    transaction.on_commit(lambda: ask_for_look(stored))
    return bool(opened)


@in_write_turn
def decide(campaign: Campaign, decision: Decision) -> None:
    """Keep what the next round needs; the first time that a rule is met is kept for good."""
    stored = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if not stored.stopping:
        return
    before = dict(stored.stopping)
    stored.stopping["pairs"] = None if decision.pairs is None else list(map(list, decision.pairs))
    stored.stopping["segments"] = decision.segments
    if decision.met and "met" not in before:
        stored.stopping["met"] = {
            "at": timezone.now().isoformat(timespec="seconds"),
            "segments": decision.segments,
        }
        facts = {"segments": decision.segments}
        AuditEntry.record(stored.study, None, "stopping rule met", stored.slug, after=facts)
    if stored.stopping != before:
        stored.save(update_fields=["stopping"])
    campaign.stopping = stored.stopping


def ask_for_look(campaign: Campaign) -> None:
    """Ask for a look at a campaign's rule, unless one is under way."""
    try:
        ask_for_job(
            LOOK,
            f"{LOOK}:{campaign.pk}",
            study=campaign.study,
            user=None,
            parameters={"campaign": campaign.slug},
        )
    except JobActive:
        return


def _is_stopped(campaign: Campaign) -> bool:
    rule = campaign.selection.get("stopping") or {}
    return bool(rule.get("automatic")) and "met" in campaign.stopping


def _open(campaign: Campaign, start: int) -> int:
    """Let the items of a round be rated, behind all that is in the queue; return how many."""
    width = campaign.stopping["width"]
    # In the words of the index of items that wait, so that it is used.
    waiting = Item.objects.filter(campaign=campaign, kind=Item.Kind.PLAIN, wanted=0, position__gt=0)
    items = waiting.filter(position__gt=start, position__lte=start + width).order_by()
    sides = ("first__system", "second__system", "first__system__kind")
    keys = [pk for pk, *systems in items.values_list("pk", *sides) if _needs(campaign, *systems)]
    for begin in range(0, len(keys), _KEYS_AT_ONCE):
        Item.objects.filter(pk__in=keys[begin : begin + _KEYS_AT_ONCE]).update(
            wanted=campaign.ratings_per_item,
            position=F("position") - start + campaign.queue_end,
        )
    return len(keys)


def _needs(campaign: Campaign, first: int, second: int | None, kind: str) -> bool:
    """Whether an item says something about a pair of systems that still needs ratings."""
    rule = campaign.selection.get("stopping") or {}
    pairs: Iterable[list[int]] | None = campaign.stopping.get("pairs")
    if pairs is None or not rule.get("adaptive") or has_many(campaign):
        return True
    if second is not None and kind == "system":
        return sorted((first, second)) in map(sorted, pairs)
    return any((first if second is None else second) in pair for pair in pairs)
