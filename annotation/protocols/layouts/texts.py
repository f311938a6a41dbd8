"""Outputs as far as laying them out needs, and the screens that they go on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Text(NamedTuple):
    """An output as far as choosing it needs; a tuple, as there may be a million of them."""

    pk: int
    ordinal: int
    segment: int
    system: int
    kind: str


Texts = tuple[Text, Text | None]
"""What one item shows: one text, or two that are compared."""


class Candidate(NamedTuple):
    """What will be shown on one screen: one or several items of one segment.

    `system` tells screens of one segment apart, so that designs can balance them.
    """

    segment: int
    system: int
    items: tuple[Texts, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The texts of one segment.

    Parameters
    ----------
    judged
        Those that are rated.
    sources
    table
        Whether all are to be on one screen.
    pairs
        How many pairs are wanted; all where None.
    """

    judged: Sequence[Text]
    sources: Sequence[Text]
    table: bool = False
    pairs: int | None = None


def dealt(texts: Sequence[Text], random: np.random.Generator, most: int) -> Iterator[Candidate]:
    """Deal a segment's outputs out to as few screens as possible, of equal size."""
    if not texts:
        return
    parts = np.array_split(random.permutation(len(texts)), -(-len(texts) // most))
    for number, part in enumerate(parts):
        items = tuple((texts[row], None) for row in part)
        yield Candidate(texts[0].segment, number, items)
