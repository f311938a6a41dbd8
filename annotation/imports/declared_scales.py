"""Scales of imported ratings that no file declared, stated later by an owner."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import F, Max, Min
from django.forms import BoundField

from annotation.campaigns.service import record
from annotation.models import Campaign, Rating
from corpus.models import Study
from corpus.storage.write_turn import in_write_turn

Ends = tuple[float, float]


class ScaleError(ValueError):
    """A scale that cannot be stored; `aspect` says of what, the message why."""

    def __init__(self, aspect: str, message: str) -> None:
        super().__init__(message)
        self.aspect = aspect


def undeclared_aspects(study: Study) -> dict[str, Ends]:
    """Return lowest and highest rating of each aspect whose scale some campaign does not state."""
    found: dict[str, Ends] = {}
    for campaign in _without_scale(study):
        for aspect, (low, high) in _undeclared(campaign).items():
            known = found.get(aspect, (low, high))
            found[aspect] = (min(low, known[0]), max(high, known[1]))
    return found


@in_write_turn
def declare_scales(study: Study, scales: Mapping[str, Ends], actor: User) -> list[str]:
    """Store scales of aspects in every campaign that states none, and say which were stored.

    Raises
    ------
    ScaleError
        If ratings lie off a scale, or its ends are not in order. Nothing is stored then.
    """
    stored: dict[str, None] = {}
    for campaign in _without_scale(study, locked=True):
        fresh = {}
        for aspect, rated in _undeclared(campaign).items():
            if aspect in scales:
                _check(aspect, scales[aspect], rated)
                fresh[aspect] = list(scales[aspect])
        if not fresh:
            continue
        before = campaign.config.get("scales", {})
        campaign.config = {**campaign.config, "scales": {**before, **fresh}}
        campaign.save(update_fields=["config"])
        record(
            campaign, actor, "declare scales",
            before={"scales": before}, after={"scales": {**before, **fresh}},
        )  # fmt: skip
        stored |= dict.fromkeys(fresh)
    if stored:
        # Reports of before must not be found again as those of now.
        Study.objects.filter(pk=study.pk).update(revision=F("revision") + 1)
    return list(stored)


def _without_scale(study: Study, *, locked: bool = False) -> list[Campaign]:
    """Return the campaigns whose protocol states no scale."""
    campaigns = study.campaigns.order_by("pk")
    if locked:
        campaigns = campaigns.select_for_update(no_key=True)
    return [each for each in campaigns if each.rules.scale is None]


def _undeclared(campaign: Campaign) -> dict[str, Ends]:
    """Return lowest and highest rating of a campaign's aspects without a scale."""
    rows = (
        Rating.objects.filter(submission__item__campaign=campaign, value__isnull=False)
        .order_by()
        .values_list("aspect")
        .annotate(Min("value"), Max("value"))
    )
    known = campaign.config.get("scales", {})
    return {aspect: (low, high) for aspect, low, high in rows if aspect not in known}


def _check(aspect: str, scale: Ends, rated: Ends) -> None:
    if not scale[0] < scale[1]:
        raise ScaleError(aspect, "The highest score must be above the lowest.")
    if rated[0] < scale[0] or rated[1] > scale[1]:
        raise ScaleError(
            aspect,
            f"There are ratings from {rated[0]:g} to {rated[1]:g}, which this scale does not hold.",
        )


class ScaleForm(forms.Form):
    """Lowest and highest score of each aspect without a scale; an aspect may be left empty."""

    def __init__(self, aspects: Mapping[str, Ends], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.aspects = aspects
        for aspect, (least, most) in aspects.items():
            rated = f"Ratings go from {least:g} to {most:g}."
            for end, words, help_text in (("low", "lowest", rated), ("high", "highest", "")):
                self.fields[f"{end}:{aspect}"] = forms.FloatField(
                    label=f"{aspect}: {words} score", required=False, help_text=help_text
                )

    @property
    def rows(self) -> list[tuple[str, BoundField, BoundField]]:
        """Each aspect with its two fields."""
        return [(each, self[f"low:{each}"], self[f"high:{each}"]) for each in self.aspects]

    def clean(self) -> dict[str, Any]:
        """Refuse a scale with one end."""
        for aspect in self.aspects:
            low, high = (self.cleaned_data.get(f"{end}:{aspect}") for end in ("low", "high"))
            if (low is None) != (high is None) and not self.has_error(f"low:{aspect}"):
                self.add_error(f"low:{aspect}", "Write both ends of the scale, or neither.")
        return self.cleaned_data

    @property
    def scales(self) -> dict[str, Ends]:
        """What was said, by aspect."""
        given = {
            aspect: (self.cleaned_data[f"low:{aspect}"], self.cleaned_data[f"high:{aspect}"])
            for aspect in self.aspects
        }
        return {aspect: ends for aspect, ends in given.items() if ends[0] is not None}
