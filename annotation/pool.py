"""Which items a campaign has, by its protocol and what its owner selected."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from annotation.models import Campaign
from annotation.protocols.ranking import MOST
from corpus.models import Output, Segment, System

PSEUDO = {"sources": System.Kind.SOURCE, "references": System.Kind.REFERENCE}


class SelectionError(ValueError):
    """A selection of outputs that gives nothing to rate; the message says why."""


@dataclass(frozen=True, slots=True)
class Text:
    """An output as far as choosing it needs."""

    pk: int
    ordinal: int
    segment: int
    system: int
    kind: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """What will be shown on one screen: one or several items of one segment.

    `system` tells screens of one segment apart, so that designs can balance them.
    """

    segment: int
    system: int
    items: tuple[tuple[Text, Text | None], ...]


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
        Its `selection` may name `systems` (all where absent), `directions`
        (``"informal-to-formal"``), `segments` (how many, drawn with the campaign's seed),
        `sources` and `references` (true to rate them too), and `pairs` (how many pairs of systems
        per segment; all where absent) and `batches` (the attribute of segments by which fixed
        batches go). Its `config` may ask for a `table`: all systems' outputs
        of one source on one screen.

    Raises
    ------
    SelectionError
        If nothing is left to rate.
    """
    texts = _texts(campaign)
    groups: dict[int, list[Text]] = {}
    for text in texts:
        groups.setdefault(text.segment, []).append(text)
    chosen = _drawn(campaign, sorted(groups))
    rules = campaign.rules
    pool = Pool()
    random = np.random.default_rng([campaign.seed, 3])
    for segment in chosen:
        group = groups[segment]
        judged = [text for text in group if _is_judged(campaign, text)]
        if rules.compares == "source":
            sources = [text for text in group if text.kind == System.Kind.SOURCE]
            pool.screens += _against_source(sources, judged)
        elif rules.compares == "outputs":
            pool.screens += _pairs(campaign, judged, random)
        elif rules.layout == "order":
            pool.screens += _groups(judged, random, MOST)
        elif campaign.config.get("table"):
            pool.screens += _groups(judged, random, len(judged))
        else:
            pool.screens += [Candidate(segment, text.system, ((text, None),)) for text in judged]
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


def _is_judged(campaign: Campaign, text: Text) -> bool:
    if text.kind != System.Kind.SYSTEM:
        asked = campaign.rules.compares != "source" or text.kind != System.Kind.SOURCE
        return asked and any(
            kind == text.kind and campaign.selection.get(name) for name, kind in PSEUDO.items()
        )
    systems = campaign.selection.get("system_ids")
    return not systems or text.system in systems


def _drawn(campaign: Campaign, segments: list[int]) -> list[int]:
    wanted = campaign.selection.get("segments")
    if not wanted or wanted >= len(segments):
        return segments
    random = np.random.default_rng([campaign.seed, 4])
    return sorted(int(row) for row in random.choice(segments, wanted, replace=False))


def _against_source(sources: list[Text], judged: list[Text]) -> Iterator[Candidate]:
    for source in sources:
        for text in judged:
            yield Candidate(text.segment, text.system, ((source, text),))


def _pairs(
    campaign: Campaign, judged: list[Text], random: np.random.Generator
) -> Iterator[Candidate]:
    pairs = list(combinations(judged, 2))
    wanted = campaign.selection.get("pairs")
    if wanted and wanted < len(pairs):
        pairs = [pairs[row] for row in sorted(random.choice(len(pairs), wanted, replace=False))]
    for first, second in pairs:
        # One number for each pair of systems; pk stay far below a million.
        yield Candidate(first.segment, first.system * 1_000_003 + second.system, ((first, second),))


def _groups(judged: Iterable[Text], random: np.random.Generator, most: int) -> Iterator[Candidate]:
    """Deal a segment's outputs out to as few screens as possible, of equal size."""
    texts = list(judged)
    if not texts:
        return
    parts = np.array_split(random.permutation(len(texts)), -(-len(texts) // most))
    for number, part in enumerate(parts):
        items = tuple((texts[row], None) for row in part)
        yield Candidate(texts[0].segment, number, items)
