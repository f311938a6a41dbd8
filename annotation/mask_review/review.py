"""Masked texts before a campaign starts: a mask is chosen, texts are corrected."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.campaigns.drafts import brought_to, follow
from annotation.campaigns.edits import CHANGED, CORRECTED, MASK_CHOSEN, last_correction_of
from annotation.campaigns.service import being_started, record
from annotation.controls.items import references_of
from annotation.designs.controls import ControlCounts
from annotation.masks.masking import MaskedOutput, masked_outputs, sources_of
from annotation.models import Campaign
from annotation.protocols.layouts.texts import Text
from annotation.selection.pool import Pool
from corpus.models import Output
from corpus.pages.versioned_form import Change

LONGEST_TEXT = 100_000


class ReviewError(ValueError):
    """A change that cannot be kept; the message says why."""


@dataclass(frozen=True)
class ReviewedText:
    """One text of the review page: an output or its source."""

    pk: int
    label: str
    masked: MaskedOutput
    mine: str | None = None
    """What was written on a page that is shown again."""
    change: Change | None = None
    """Who corrected it meanwhile."""

    @property
    def written(self) -> str:
        """What the field holds."""
        return (self.masked.shown or "") if self.mine is None else self.mine

    @property
    def version(self) -> str:
        """A short hash of what is stored."""
        return hash_of(self.masked.shown or "")


@dataclass(frozen=True)
class ReviewedSegment:
    """A segment with its source and the outputs that are rated."""

    key: str
    texts: tuple[ReviewedText, ...]


def judged_by_segment(campaign: Campaign, pool: Pool) -> dict[int, list[Text]]:
    """Return what a campaign shows to be judged, each text once, by segment as in the study.

    References that may be shown as controls come after what is rated.
    """
    found: dict[int, dict[int, Text]] = {}
    for screen in pool.screens:
        for first, _ in screen.items:
            found.setdefault(screen.segment, {})[first.pk] = first
    if ControlCounts.of(campaign.selection.get("controls", {})).references:
        for segment, reference in references_of(campaign, pool).items():
            found[segment][reference.pk] = reference
    return {segment: list(texts.values()) for segment, texts in found.items()}


def reviewed(campaign: Campaign, segments: Mapping[int, Sequence[Text]]) -> list[ReviewedSegment]:
    """Return some segments with all that annotators would see of them.

    Raises
    ------
    MaskError
        If the campaign's mask cannot be used.
    """
    sources = sources_of(campaign, segments)
    wanted = {pk: None for segment in segments for pk in _texts_of(segment, segments, sources)}
    masked = masked_outputs(campaign, wanted)
    facts = {
        output.pk: output
        for output in Output.objects.filter(pk__in=list(wanted))
        .select_related("segment", "system")
        .defer("text")
    }
    result = []
    for segment in segments:
        pks = _texts_of(segment, segments, sources)
        texts = tuple(ReviewedText(pk, facts[pk].system.name, masked[pk]) for pk in pks)
        result.append(ReviewedSegment(facts[pks[0]].segment.key, texts))
    return result


def choose_mask(campaign: Campaign, chosen: Mapping[str, Any], actor: User) -> None:
    """Store where a campaign's masked texts come from; corrections stay.

    Raises
    ------
    ReviewError
        If the campaign was started meanwhile.
    """
    with transaction.atomic():
        before = _locked(campaign).get("mask")
        brought = brought_to(campaign)
        campaign.selection = {**campaign.selection, "mask": dict(chosen)}
        # The guidelines say what the placeholder stands for.
        follow(campaign, brought)
        campaign.save(update_fields=["selection", "guidelines", "config"])
        record(campaign, actor, MASK_CHOSEN, before=before, after=dict(chosen))


def show_plain_texts(campaign: Campaign, actor: User) -> None:
    """Switch masking off: annotators will see the texts as they are stored.

    Raises
    ------
    ReviewError
        If the campaign was started meanwhile.
    """
    with transaction.atomic():
        _locked(campaign)
        brought = brought_to(campaign)
        campaign.config = {**campaign.config, "masked": False}
        # The guidelines speak of masked words no more.
        follow(campaign, brought)
        campaign.save(update_fields=["selection", "guidelines", "config"])
        before, after = {"config.masked": True}, {"config.masked": False}
        record(campaign, actor, CHANGED, before=before, after=after)


def correct_masks(
    campaign: Campaign, masked: Mapping[int, MaskedOutput], given: Mapping[int, str], actor: User
) -> int:
    """Keep the texts that an owner wrote, and return how many changed.

    A text that is as the mask makes it needs no correction, so that an earlier one goes.

    Parameters
    ----------
    masked
        What there is now, by the primary key of the output.
    given
        The texts as they came from the page; others are left alone.

    Raises
    ------
    ReviewError
        If a text is too long, or the campaign was started meanwhile.
    """
    with transaction.atomic():
        kept = dict(_locked(campaign).get("corrections", {}))
        before: dict[str, str | None] = {}
        after: dict[str, str | None] = {}
        for pk, text in given.items():
            if "\0" in text:
                raise ReviewError("a masked text has no NUL characters")
            if len(text) > LONGEST_TEXT:
                raise ReviewError(f"a masked text has at most {LONGEST_TEXT:,} characters")
            name, stored = str(pk), kept.get(str(pk))
            wanted = _wanted(masked[pk], text)
            if wanted == stored:
                continue
            before[name], after[name] = stored, wanted
            if wanted is None:
                del kept[name]
            else:
                kept[name] = wanted
        if after:
            _keep(campaign, {"corrections": kept})
            record(campaign, actor, CORRECTED, before=before, after=after)
    return len(after)


def _wanted(masked: MaskedOutput, given: str) -> str | None:
    """Return the correction that a text from the page means; None for none."""
    if masked.correction is not None and lines(given) == lines(masked.correction):
        return masked.correction
    if lines(given) == lines(masked.automatic or ""):
        # Where nothing was imported, an empty field says nothing either.
        return None
    return lines(given)


def hash_of(text: str) -> str:
    """Return a short hash of a text, however its lines end."""
    return hashlib.sha256(lines(text).encode()).hexdigest()[:16]


def lines(text: str) -> str:
    """Return a text with plain line ends: a browser sends others than it was given."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _texts_of(
    segment: int, segments: Mapping[int, Sequence[Text]], sources: Mapping[int, int]
) -> list[int]:
    source = [sources[segment]] if segment in sources else []
    return list(dict.fromkeys([*source, *(text.pk for text in segments[segment])]))


def _locked(campaign: Campaign) -> dict[str, Any]:
    """Return a draft's selection, held until the transaction ends."""
    stored = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if stored.state != Campaign.State.DRAFT:
        raise ReviewError("the campaign was started meanwhile: its masked texts are fixed")
    if being_started(stored):
        raise ReviewError("the campaign is being started: wait for it, or cancel its job")
    for name in ("selection", "guidelines", "config"):
        setattr(campaign, name, getattr(stored, name))
    selection: dict[str, Any] = stored.selection
    return selection


def _keep(campaign: Campaign, change: Mapping[str, Any]) -> None:
    campaign.selection = {**campaign.selection, **change}
    campaign.save(update_fields=["selection"])


START = "was-"


def meet(
    campaign: Campaign, segments: Sequence[ReviewedSegment], sent: Mapping[str, str]
) -> tuple[dict[int, str], list[ReviewedSegment] | None]:
    """Return the texts that were written, and the page again where others were corrected too.

    A text that its owner left alone is left out. Where both wrote one, the page that comes back
    holds both; sent again, it is stored.
    """
    given: dict[int, str] = {}
    met: dict[int, ReviewedText] = {}
    for text in (text for segment in segments for text in segment.texts):
        if (mine := sent.get(f"text-{text.pk}")) is None:
            continue
        was, now = sent.get(f"{START}{text.pk}", text.version), text.version
        if hash_of(mine) == was != now:
            continue
        given[text.pk] = mine
        if now not in (was, hash_of(mine)):
            change = last_correction_of(campaign, text.pk)
            met[text.pk] = replace(text, mine=lines(mine), change=change)
    if not met:
        return given, None
    again = [
        replace(
            segment,
            texts=tuple(
                met.get(text.pk) or replace(text, mine=given.get(text.pk)) for text in segment.texts
            ),
        )
        for segment in segments
    ]
    return given, again
