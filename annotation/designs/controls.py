"""Control items: how many, where in a list, of which kind, and how a text is made worse."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from annotation.designs.order import Rows

ControlKind = Literal["repeat", "degraded", "reference"]


@dataclass(frozen=True)
class ControlCounts:
    """How many control items of each kind every annotator gets."""

    repeats: int = 0
    degraded: int = 0
    references: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.repeats + self.degraded + self.references

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "ControlCounts":
        """Read the numbers as a campaign keeps them; what is not said is none."""
        return cls(*(int(given.get(name) or 0) for name in ("repeats", "degraded", "references")))


@dataclass(frozen=True)
class Placed:
    """A list with controls in it.

    Parameters
    ----------
    rows
        The rows of the items to be seen; a control stands under the row of its original.
    control
        Whether each place is a control.
    """

    rows: Rows
    control: NDArray[np.bool_]


def place_controls(
    rows: Rows, count: int, seed: Sequence[int], segments: Rows | None = None
) -> Placed:
    """Put controls into an annotator's list, each far behind its original.

    Parameters
    ----------
    rows : n rows
        The list without controls.
    count : int
        How many controls; at most n // 2.
    seed : integers
    segments : n integers, optional
        The segment of each item of the list. Originals are then of different segments as far as
        there are enough, and a control stands beside another item of its segment only where that
        cannot be helped.

    Returns
    -------
    Placed
        n + count places. The originals are drawn from the first half; the controls stand evenly
        in the second half, the earliest original's first, so that about half of the list lies
        between the two.

    Raises
    ------
    ValueError
        If there are more controls than half of the items.

    Examples
    --------
    >>> place_controls(np.arange(4), 1, seed=[1]).control.sum()
    np.int64(1)
    """
    n = len(rows)
    half = n // 2
    if not 0 <= count <= half:
        raise ValueError(f"{count} controls among {n} items; at most {half}")
    random = np.random.default_rng(list(seed))
    drawn = random.permutation(half)
    if segments is not None:
        drawn = drawn[np.argsort(_times_met(segments[drawn]), kind="stable")]
    originals = np.sort(drawn[:count])
    gaps = half + ((np.arange(count) + 1) * (n - half)) // max(count, 1)
    if segments is not None:
        gaps = _apart(gaps, originals, segments)
    places = np.insert(np.asarray(rows, np.intp), gaps, np.asarray(rows)[originals])
    control = np.insert(np.zeros(n, bool), gaps, True)
    return Placed(places, control)


def control_kinds(
    placed: Placed,
    counts: ControlCounts,
    seed: Sequence[int],
    segments: Rows,
    with_reference: Collection[int],
) -> dict[int, ControlKind]:
    """Say for each control place of a list of which kind it is, mixed at random.

    Parameters
    ----------
    placed, counts, seed
    segments : integers
        The segment of each row, by the row's number.
    with_reference
        Segments that have a reference; an annotator sees the reference of a segment once.

    Raises
    ------
    ValueError
        If there are fewer segments with a reference among the controls than references wanted.

    Examples
    --------
    >>> placed = place_controls(np.arange(8), 2, seed=[1], segments=np.arange(8))
    >>> kinds = control_kinds(placed, ControlCounts(1, 0, 1), [1], np.arange(8), range(8))
    >>> sorted(kinds.values())
    ['reference', 'repeat']
    """
    random = np.random.default_rng([*seed, 1])
    where = [int(place) for place in random.permutation(np.flatnonzero(placed.control))]
    kinds: dict[int, ControlKind] = {}
    used: set[int] = set()
    for place in where:
        segment = int(segments[placed.rows[place]])
        if len(used) < counts.references and segment in with_reference and segment not in used:
            used.add(segment)
            kinds[place] = "reference"
    if len(used) < counts.references:
        raise ValueError(
            f"{counts.references} references as controls, and only {len(used)} segments with a "
            "reference that stand early enough in a list"
        )
    left = [place for place in where if place not in kinds]
    return kinds | {
        place: "repeat" if number < counts.repeats else "degraded"
        for number, place in enumerate(left)
    }


def _times_met(segments: Rows) -> Rows:
    """Say for each item how many of its segment come before it."""
    order = np.argsort(segments, kind="stable")
    ordered = segments[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, len(ordered)])
    times = np.empty(len(ordered), np.intp)
    times[order] = np.arange(len(ordered)) - np.repeat(starts, lengths)
    return times


def _apart(gaps: Rows, originals: Rows, segments: Rows) -> Rows:
    """Move each gap by as little as needed, so that no neighbour is of the control's segment."""
    n = len(segments)
    moved: list[int] = []
    for number, (gap, original) in enumerate(zip(gaps.tolist(), originals, strict=True)):
        earliest = moved[-1] if moved else n // 2
        latest = int(gaps[number + 1]) if number + 1 < len(gaps) else n
        tries = sorted(range(earliest, latest + 1), key=lambda place: abs(place - gap))
        fits = (place for place in tries if not _beside(place, original, segments))
        moved.append(next(fits, gap))
    return np.array(moved, np.intp)


def _beside(gap: int, original: int, segments: Rows) -> bool:
    """Whether an item before or after a gap is of the original's segment."""
    return bool((segments[max(gap - 1, 0) : gap + 1] == segments[original]).any())


def degrade(text: str, donors: Sequence[str], random: np.random.Generator) -> str:
    """Replace a run of words, about half of them, by as many words of other texts.

    A run that belongs elsewhere spoils meaning and flow at once, as in the quality control of
    Graham et al. (2013). A text of up to three words is replaced whole.

    Parameters
    ----------
    text
    donors
        Texts to take foreign words from; words that `text` has are not taken.
    random

    Examples
    --------
    >>> degrade("I am well", ["the cat sat on a mat"], np.random.default_rng(1)) != "I am well"
    True
    """
    words = text.split()
    known = {word.lower() for word in words}
    foreign = [
        word
        for place in random.permutation(len(donors))
        for word in donors[place].split()
        if word.lower() not in known
    ]
    length = len(words) if len(words) <= 3 else max(2, len(words) // 2)
    if not words:
        return " ".join(foreign[:5]) or "…"
    if not foreign:
        return " ".join(words[::-1]) if len(words) > 1 else f"{words[0]} {words[0]}"
    start = int(random.integers(0, len(words) - length + 1))
    taken = [foreign[place % len(foreign)] for place in range(length)]
    return " ".join((*words[:start], *taken, *words[start + length :]))
