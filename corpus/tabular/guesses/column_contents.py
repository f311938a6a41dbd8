"""What the cells of a column look like, whatever its name is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from corpus.tabular.questions.scales import scales

ContentKind = Literal["nothing", "rating", "percentage", "integer", "number", "text", "name"]

LONGEST_SCALE = 11
"""A scale of 0 to 10 has so many values; more are no single choice."""
WORDS_OF_TEXT = 3
CHARACTERS_OF_TEXT = 15
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
MOST_WORDS = 20
"""More different words are no choice."""
_LABELLED = re.compile(
    r"\(?([-+]?\d+(?:\.\d+)?)\)?"
    r"(?:\s*%|\s*(?:/|out of|of|von|sur)\s*\d+|\s*[-–—:=.)]?\s*[^\d\s].*)|"
    r"[^\d(]+[-–—:=(\s]\s*([-+]?\d+)\)?"
)
_COMMA = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+")
_CELL = re.compile(r'\[?\{("\w+":\s*)-?[\d.]+\}\]?')
_MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-"})


def is_number(text: str) -> bool:
    """Whether Python reads a text as a number; so it does ``nan`` and ``inf``."""
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class ColumnContent:
    """What one column holds.

    Attributes
    ----------
    name
        Of the column.
    values
        Its different values, many of them where there are more, without what stands for none.
    rows, filled, distinct
        How many rows the table has, how many of them hold something here, and how much of it is
        different.
    """

    name: str
    values: frozenset[str]
    rows: int = 0
    filled: int = 0
    distinct: int = 0

    @cached_property
    def kind(self) -> ContentKind:
        """What the values look like."""
        return kind_of(self.values)

    @property
    def is_unique(self) -> bool:
        """Whether no value comes twice and none is missing."""
        return self.distinct == self.rows


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.strip().lower() in _MISSING


def kind_of(cells: Iterable[str]) -> ContentKind:
    """Say what the cells of a column look like, apart from those that are missing.

    Few small integers are ratings, integers from 0 to 100 direct assessments, other integers
    counts or keys, other numbers scores; several words are a text, the rest are names.
    """
    values = {cell for cell in cells if not is_missing(cell)}
    if not values:
        return "nothing"
    if all(_INTEGER.fullmatch(value.strip()) for value in values):
        numbers = [int(value) for value in values]
        low, high = min(numbers), max(numbers)
        if len(numbers) <= LONGEST_SCALE and low >= -5 and high <= 10:
            return "rating"
        return "percentage" if low >= 0 and high <= 100 else "integer"
    if all(_NUMBER.fullmatch(value.strip()) for value in values):
        return "number"
    words = sum(len(value.split()) for value in values) / len(values)
    characters = sum(map(len, values)) / len(values)
    is_text = words >= WORDS_OF_TEXT and characters >= CHARACTERS_OF_TEXT
    return "text" if is_text else "name"


def may_be_numbers(cells: Collection[str], *, in_words: bool = True) -> bool:
    """Whether cells are numbers, or are written in a way in which questions find numbers."""
    words = sorted({cell for cell in cells if not (is_missing(cell) or is_number(cell))})
    if any(all(map(pattern.fullmatch, words)) for pattern in (_COMMA, _CELL)):
        return True
    is_scale = in_words and bool(scales({" ".join(word.lower().split()) for word in words}))
    is_labelled = all(_LABELLED.fullmatch(word.strip()) for word in words)
    return len(words) <= MOST_WORDS and (is_scale or is_labelled)
