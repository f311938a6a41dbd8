"""Which items a campaign has, by its protocol and what its owner selected."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.designs.segments import stratified_sample
from annotation.models import Campaign
from annotation.protocols.layouts.texts import Group
from annotation.selection.rated_systems import rated_by_default
from annotation.selection.screens import KnownTexts, Numbers, Screens
from corpus.models import Output, Segment, Study, System

ROWS_AT_ONCE = 500
"""So few that Python does not look for garbage among rows that are gone the next moment."""
PSEUDO = {"sources": System.Kind.SOURCE, "references": System.Kind.REFERENCE}


class SelectionError(ValueError):
    """A selection of outputs that gives nothing to rate; the message says why."""


@dataclass(frozen=True)
class Pool:
    """All screens of a campaign, with segments and systems as a design wants them."""

    screens: Screens

    @property
    def segments(self) -> Numbers:
        """The segment of each screen."""
        return self.screens.segments

    @property
    def systems(self) -> Numbers:
        """The system (or pair, or group) of each screen."""
        return self.screens.systems


def build_pool(campaign: Campaign) -> Pool:
    """Select outputs and lay them out as the protocol shows them.

    Parameters
    ----------
    campaign
        Its `selection` may name `system_ids` (all but baselines and copies where absent),
        `directions`
        (``"informal-to-formal"``), `segments` (how many, drawn with the campaign's seed, from each
        direction in proportion), `strata` (attributes of segments by which they are drawn in
        proportion too), `sources` and `references` (true to rate them too), `pairs` (how many
        pairs of systems per segment; all where absent) and `batches` (the attribute of segments by
        which fixed batches go). Its `config` may ask for a `table`: all systems' outputs of one
        source on one screen.

    Raises
    ------
    SelectionError
        If nothing is left to rate.
    """
    texts = _texts(campaign)
    chosen = drawn_segments(campaign, texts.segments)
    layout = campaign.rules.layout
    table, pairs = bool(campaign.config.get("table")), campaign.selection.get("pairs")
    systems = _judged_systems(campaign)
    screens = Screens(texts)
    random = np.random.default_rng([campaign.seed, 3])
    for segment in chosen:
        group = texts.of_segment(segment)
        judged = [text for text in group if text.system in systems]
        sources = [text for text in group if text.kind == System.Kind.SOURCE]
        screens.add(layout.screens(Group(judged, sources, table, pairs), random))
    if not screens:
        raise SelectionError("nothing to rate: no output of the study fits this selection")
    return Pool(screens)


def batches_by(study: Study, pool: Pool, attribute: str) -> Numbers:
    """Return the batch of each screen: segments with the same value of an attribute go together.

    Batches are numbered in the order in which their first segment stands in the study.

    Raises
    ------
    SelectionError
        If a segment lacks the attribute.
    """
    judged = set(pool.segments.tolist())
    rows = Segment.objects.filter(study=study).order_by("ordinal")
    values: dict[int, str] = {}
    for pk, key, attributes in rows.values_list("pk", "key", "attributes").iterator(ROWS_AT_ONCE):
        if pk not in judged:
            continue
        value = attributes.get(attribute)
        if value in (None, ""):
            raise SelectionError(f"segment {key} has no {attribute!r}, by which the batches go")
        values[pk] = str(value)
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values.values()))}
    return np.array([numbers[values[segment]] for segment in pool.segments.tolist()], np.intp)


def _texts(campaign: Campaign) -> KnownTexts:
    rows = Output.objects.filter(study=campaign.study, variant=1).order_by()
    numbers = rows.values_list("pk", "ordinal", "segment_id", "system_id").iterator(ROWS_AT_ONCE)
    kinds = dict(System.objects.filter(study=campaign.study).values_list("pk", "kind"))
    among = _segments_of_directions(campaign)
    if among is None:
        return KnownTexts(numbers, kinds)
    return KnownTexts((row for row in numbers if row[2] in among), kinds)


def _segments_of_directions(campaign: Campaign) -> set[int] | None:
    """Return the segments of the directions that are rated, by primary key; None for all."""
    directions = campaign.selection.get("directions")
    if not directions:
        return None
    rows = Segment.objects.filter(study=campaign.study)
    return {
        pk
        for pk, source, target in rows.values_list("pk", "source_style", "target_style")
        if f"{source}-to-{target}" in directions
    }


def _judged_systems(campaign: Campaign) -> set[int]:
    """Return what is rated by primary key: systems, and sources and references where asked for."""
    judged = set(campaign.selection.get("system_ids") or rated_by_default(campaign.study))
    others = {kind for name, kind in PSEUDO.items() if campaign.selection.get(name)}
    if not campaign.rules.layout.rates_sources:
        others.discard(System.Kind.SOURCE)
    known = System.objects.filter(study=campaign.study).values_list("pk", "kind")
    return {
        pk for pk, kind in known if (pk in judged if kind == System.Kind.SYSTEM else kind in others)
    }


def drawn_segments(campaign: Campaign, segments: Iterable[int]) -> list[int]:
    """Return the segments of a campaign's sample, by primary key; all where none is wanted.

    Those that were chosen for it come first; campaigns of a set share the sample that was drawn.

    Parameters
    ----------
    campaign
    segments
        Those that can be rated, by primary key.
    """
    there = sorted(segments)
    if chosen := campaign.chosen_segments:
        rows = Segment.objects.filter(study=campaign.study).values_list("pk", "key")
        wanted = {pk for pk, key in rows.iterator(ROWS_AT_ONCE) if key in chosen.segments}
        return sorted(wanted.intersection(there))
    if campaign.set is not None:
        sample = campaign.set.sample
        return there if sample is None else sorted({*sample}.intersection(there))
    return draw_segments(campaign, there, campaign.seed)


def draw_segments(campaign: Campaign, there: list[int], seed: int) -> list[int]:
    """Draw as many segments as a campaign asks for, each stratum in proportion."""
    wanted = campaign.selection.get("segments")
    if not wanted or wanted >= len(there):
        return there
    rows = stratified_sample(_strata(campaign, there), wanted, seed)
    return [there[row] for row in rows]


def segments_with_texts(campaign: Campaign) -> list[int]:
    """Return the segments that a campaign draws from, by primary key."""
    return _texts(campaign).segments


def _strata(campaign: Campaign, segments: list[int]) -> list[tuple[Any, ...]]:
    """Return direction and chosen attributes of each segment; one that is lacking is a value."""
    names = campaign.selection.get("strata") or []
    rows = Segment.objects.filter(study=campaign.study)
    found = {
        pk: (source, target, *(attributes.get(name, "") for name in names))
        for pk, source, target, attributes in rows.values_list(
            "pk", "source_style", "target_style", "attributes"
        )
    }
    return [found[pk] for pk in segments]
