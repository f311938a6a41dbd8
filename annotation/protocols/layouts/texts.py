"""Texts as far as laying them out needs: outputs of a study, and those that an owner wrote."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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


LONGEST_TEXT = 2000
LONGEST_STYLE = 100
Shown = dict[str, str]


@dataclass(frozen=True, slots=True)
class OwnText:
    """One text that a practice item may have.

    Parameters
    ----------
    name, label
        Its key in the item's `texts`, and its name in a form.
    required
        Whether the item cannot be shown without it.
    longest
        How many characters it may have.
    """

    name: str
    label: str
    required: bool = True
    longest: int = LONGEST_TEXT


OUTPUT = OwnText("output", "Output")
SOURCE = OwnText("source", "Source")
REFERENCE = OwnText("reference", "Reference", required=False)
TARGET_STYLE = OwnText("target_style", "Target style", False, LONGEST_STYLE)


def read_texts(texts: Mapping[str, Any], known: Sequence[OwnText]) -> dict[str, Any]:
    """Check the texts of a practice item; those that are empty are left out.

    Raises
    ------
    ValueError
        Naming the text that cannot be used: ``"source: …"``.
    """
    names = [text.name for text in known]
    if unknown := [name for name in texts if name not in names]:
        raise ValueError(f"texts: {unknown[0]!r} is not shown; shown are: {', '.join(names)}")
    result = {text.name: read_text(texts.get(text.name, ""), text) for text in known}
    return {name: text for name, text in result.items() if text}


def read_text(given: Any, text: OwnText) -> str:
    """Check one text.

    Raises
    ------
    ValueError
        If it is none, too long, or empty and required.
    """
    if not isinstance(given, str) or len(given) > text.longest:
        raise ValueError(f"{text.name}: expected a text of up to {text.longest} characters")
    if text.required and not given.strip():
        raise ValueError(f"{text.name}: write this text; annotators see it")
    return given


def shown_beside(texts: Mapping[str, Any]) -> Shown:
    """Return what is shown alongside the texts that are judged."""
    return {
        name: str(texts[name]) for name in ("source", "reference", "target_style") if name in texts
    }
