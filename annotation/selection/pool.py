"""Which items a campaign has, by its protocol and what its owner selected."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from annotation.designs import stratified_sample
from annotation.models import Campaign
from annotation.protocols.layouts.texts import Candidate, Group, Text
from annotation.selection.rated_systems import rated_by_default
from corpus.models import Output, Segment, System

PSEUDO = {"sources": System.Kind.SOURCE, "references": System.Kind.REFERENCE}


class SelectionError(ValueError):
    """A selection of outputs that gives nothing to rate; the message says why."""


@dataclass
class Pool:
    """All screens of a campaign, with segments and systems as a design wants them."""

    screens: list[Candidate] = field(default_factory=list)

    @property
    def segments(self) -> np.ndarray[Any, np.dtype[np.intp]]:
        """The segment of each screen."""
        return np.array([screen.segment for screen in self.screens], np.intp)

    @property
    def systems(self) -> np.ndarray[Any, np.dtype[np.intp]]:
        """The system (or pair, or group) of each screen."""
        return np.array([screen.system for screen in self.screens], np.intp)


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
    groups: dict[int, list[Text]] = {}
    for text in texts:
        groups.setdefault(text.segment, []).append(text)
    chosen = drawn_segments(campaign, list(groups))
    layout = campaign.rules.layout
    table, pairs = bool(campaign.config.get("table")), campaign.selection.get("pairs")
    systems = set(campaign.selection.get("system_ids") or rated_by_default(campaign.study))
    pool = Pool()
    random = np.random.default_rng([campaign.seed, 3])
    for segment in chosen:
        group = groups[segment]
        judged = [text for text in group if _is_judged(campaign, text, systems)]
        sources = [text for text in group if text.kind == System.Kind.SOURCE]
        pool.screens += layout.screens(Group(judged, sources, table, pairs), random)
    if not pool.screens:
        raise SelectionError("nothing to rate: no output of the study fits this selection")
    return pool


def batches_by(pool: Pool, attribute: str) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Return the batch of each screen: segments with the same value of an attribute go together.

    Batches are numbered in the order in which their first segment stands in the study.

    Raises
    ------
    SelectionError
        If a segment lacks the attribute.
    """
    segments = Segment.objects.filter(pk__in={screen.segment for screen in pool.screens})
    values: dict[int, str] = {}
    for segment in segments.order_by("ordinal"):
        value = segment.attributes.get(attribute)
        if value in (None, ""):
            raise SelectionError(
                f"segment {segment.key} has no {attribute!r}, by which the batches go"
            )
        values[segment.pk] = str(value)
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values.values()))}
    return np.array([numbers[values[screen.segment]] for screen in pool.screens], np.intp)


def _texts(campaign: Campaign) -> list[Text]:
    rows = Output.objects.filter(study=campaign.study, variant=1).order_by("ordinal")
    directions = campaign.selection.get("directions")
    styles = ("segment__source_style", "segment__target_style")
    # Plain tuples: instances of a hundred thousand outputs would take ten times as long.
    return [
        Text(*facts)
        for *facts, source, target in rows.values_list(
            "pk", "ordinal", "segment_id", "system_id", "system__kind", *styles
        )
        if not directions or f"{source}-to-{target}" in directions
    ]


def _is_judged(campaign: Campaign, text: Text, systems: set[int]) -> bool:
    if text.kind != System.Kind.SYSTEM:
        asked = campaign.rules.layout.rates_sources or text.kind != System.Kind.SOURCE
        return asked and any(
            kind == text.kind and campaign.selection.get(name) for name, kind in PSEUDO.items()
        )
    return text.system in systems


def drawn_segments(campaign: Campaign, segments: Iterable[int]) -> list[int]:
    """Return the segments of a campaign's sample, by primary key; all where none is wanted.

    Campaigns of a set share the sample that was drawn for it.

    Parameters
    ----------
    campaign
    segments
        Those that can be rated, by primary key.
    """
    there = sorted(segments)
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
    return sorted({text.segment for text in _texts(campaign)})


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
