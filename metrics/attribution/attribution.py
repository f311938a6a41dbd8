"""Attributions of one text: a number for each word piece, merged to words with shares."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from corpus.texts.masking import places

Floats: TypeAlias = npt.NDArray[np.float64]
Pieces: TypeAlias = npt.NDArray[Any]

PIECE = np.dtype([("start", "<i4"), ("end", "<i4"), ("is_special", "?"), ("value", "<f8")])
"""Start and end in the text (0 and 0 for special tokens), whether special, attribution."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """Attributions of one text for one column of a classifier.

    Attributes
    ----------
    column
        The classifier's column whose logit was attributed.
    pieces : structured ndarray, `PIECE`
        Every word piece that the classifier reads, special tokens included.
    logits : ndarray, shape (columns,)
        Of the text.
    baseline_logit
        Of the baseline, in the attributed column.
    left_out
        Number of word pieces beyond what the classifier can read.
    """

    column: int
    pieces: Pieces
    logits: Floats = field(repr=False)
    baseline_logit: float
    left_out: int = 0

    @property
    def convergence_error(self) -> float:
        """How far the attributions' sum is from the difference of logits that it must equal."""
        difference = self.logits[self.column] - self.baseline_logit
        return float(abs(self.pieces["value"].sum() - difference))

    @property
    def probabilities(self) -> Floats:
        """The classifier's distribution over its columns (softmax)."""
        exponentials = np.exp(self.logits - self.logits.max())
        return np.asarray(exponentials / exponentials.sum())

    @property
    def limit_reason(self) -> str:
        """Why words cannot be chosen by these attributions; empty if they can."""
        if not self.left_out:
            return ""
        read = len(self.pieces)
        return (
            f"too long: the style classifier reads {read} word pieces, the text has "
            f"{read + self.left_out}; what comes after has no attribution"
        )


class Unit(NamedTuple):
    """A word or a word piece with its place in the text.

    Attributes
    ----------
    start, end
        Characters of the text; both 0 for a special token.
    value
        Attribution: above 0 it speaks for the attributed style, below 0 against it.
    share
        Its absolute value divided by the sum of all; 0 where that sum is 0.
    is_special
        Whether it is a special token of the classifier, which stands nowhere in the text.
    """

    start: int
    end: int
    value: float
    share: float
    is_special: bool = False


def units(
    text: str, attribution: Attribution, *, merge_words: bool = True, rank_special: bool = False
) -> list[Unit]:
    """Return words or word pieces of a text with their attributions and shares.

    Parameters
    ----------
    text
        The text that was attributed.
    attribution
        Of its word pieces.
    merge_words
        Whether pieces are merged to words: their attributions are summed with sign. What a word
        is says `corpus.texts.masking`; signs stand alone. A piece that spans several words joins
        them.
    rank_special
        Whether special tokens are listed too, so that they take their part of the shares.

    Returns
    -------
    list of Unit
        In the order of the text, special tokens last. Shares sum to 1, or are all 0.

    Examples
    --------
    A word of two pieces, and a sign:

    >>> import numpy as np
    >>> from metrics.attribution.attribution import PIECE
    >>> pieces = np.array([(0, 2, False, 0.5), (2, 6, False, 1.0), (6, 7, False, -0.5)], PIECE)
    >>> found = units("unfair!", Attribution(0, pieces, np.array([1.0]), 0.0))
    >>> [(unit.start, unit.end, unit.value, unit.share) for unit in found]
    [(0, 6, 1.5, 0.75), (6, 7, -0.5, 0.25)]
    """
    pieces = attribution.pieces
    special = pieces["is_special"]
    if merge_words:
        found = _words(places(text), pieces[~special])
    else:
        found = [
            (*_trimmed(text, int(piece["start"]), int(piece["end"])), float(piece["value"]), False)
            for piece in pieces[~special]
        ]
    if rank_special:
        found += [(0, 0, float(value), True) for value in pieces["value"][special]]
    total = sum(abs(value) for _, _, value, _ in found)
    return [
        Unit(start, end, value, abs(value) / total if total else 0.0, is_special)
        for start, end, value, is_special in found
    ]


def _words(words: Sequence[tuple[int, int]], pieces: Pieces) -> list[tuple[int, int, float, bool]]:
    """Sum pieces over the words that they stand in."""
    if not words:
        return []
    starts = [start for start, _ in words]
    ends = [end for _, end in words]
    sums: list[list[float]] = []
    groups: list[list[int]] = []
    for piece in pieces:
        # A piece of white space alone goes to the word that follows, as its mark of a beginning.
        first = min(bisect_right(ends, int(piece["start"])), len(words) - 1)
        last = max(first, bisect_left(starts, int(piece["end"])) - 1)
        if groups and first <= groups[-1][1]:
            groups[-1][1] = max(groups[-1][1], last)
            sums[-1].append(float(piece["value"]))
        else:
            groups.append([first, last])
            sums.append([float(piece["value"])])
    return [
        (starts[first], ends[last], sum(values), False)
        for (first, last), values in zip(groups, sums, strict=True)
    ]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out white space at the ends of a piece: some tokenizers count it in."""
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())
