"""The screens of a campaign, kept as a few arrays: a campaign may have a million of them."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import overload

import numpy as np
from numpy.typing import NDArray

from annotation.protocols.layouts.texts import Candidate, Text
from corpus.models import System

Numbers = NDArray[np.intp]
_NONE = -1


class KnownTexts:
    """The outputs that a campaign may show.

    Parameters
    ----------
    rows
        Primary key, ordinal, segment and system of each output.
    kinds
        The kind of each system.
    """

    def __init__(self, rows: Iterable[Sequence[int]], kinds: dict[int, str]) -> None:
        table = np.fromiter(chain.from_iterable(rows), np.int64).reshape(-1, 4)
        self._table = table[np.lexsort((table[:, 1], table[:, 2]))]
        self._segments = self._table[:, 2].copy()
        self._kinds = kinds

    @property
    def segments(self) -> list[int]:
        """The segments that have texts, by primary key."""
        found: list[int] = np.unique(self._segments).tolist()
        return found

    @property
    def of_systems(self) -> Numbers:
        """The outputs of systems, by primary key."""
        systems = [pk for pk, kind in self._kinds.items() if kind == System.Kind.SYSTEM]
        found: Numbers = self._table[np.isin(self._table[:, 3], systems), 0]
        return found

    def of_segment(self, segment: int) -> list[Text]:
        """Return the texts of a segment, in the order of the study."""
        start, end = np.searchsorted(self._segments, (segment, segment + 1))
        rows = self._table[start:end].tolist()
        return [Text(pk, place, of, system, self._kinds[system]) for pk, place, of, system in rows]


class Screens(Sequence[Candidate]):
    """Screens in their order; each is put together when it is asked for.

    Parameters
    ----------
    texts
        All that they show.
    """

    def __init__(self, texts: KnownTexts) -> None:
        self._texts = texts
        self._segments, self._systems = array("q"), array("q")
        # Of all items, one screen after the other; `_ends` has where each screen ends.
        self._firsts, self._seconds, self._ends = array("q"), array("q"), array("q")

    def add(self, screens: Iterable[Candidate]) -> None:
        """Put screens behind all others."""
        for segment, system, items in screens:
            self._segments.append(segment)
            self._systems.append(system)
            for first, second in items:
                self._firsts.append(first.pk)
                self._seconds.append(_NONE if second is None else second.pk)
            self._ends.append(len(self._firsts))

    @property
    def items(self) -> int:
        """How many items they have."""
        return len(self._firsts)

    @property
    def segments(self) -> Numbers:
        """The segment of each screen."""
        return np.array(self._segments, np.intp)

    @property
    def systems(self) -> Numbers:
        """The system (or pair, or group) of each screen."""
        return np.array(self._systems, np.intp)

    @property
    def segments_of_systems(self) -> Numbers:
        """The segments of screens whose first item shows an output of a system."""
        outputs, starts = self._texts.of_systems, self.starts
        first, second = np.array(self._firsts, np.intp), np.array(self._seconds, np.intp)
        shown = np.isin(first[starts], outputs) | np.isin(second[starts], outputs)
        return np.unique(self.segments[shown])

    @property
    def counts(self) -> Numbers:
        """How many items each screen has."""
        ends = np.array([0, *self._ends], np.intp)
        return ends[1:] - ends[:-1]

    @property
    def starts(self) -> Numbers:
        """Where the items of each screen begin among all items."""
        return np.array([0, *self._ends[:-1]], np.intp)

    @property
    def are_pairs(self) -> NDArray[np.bool_]:
        """Whether each item shows two texts."""
        pairs: NDArray[np.bool_] = np.array(self._seconds, np.intp) != _NONE
        return pairs

    def __len__(self) -> int:
        return len(self._segments)

    def __iter__(self) -> Iterator[Candidate]:
        return self._some(range(len(self)))

    @overload
    def __getitem__(self, place: int) -> Candidate: ...

    @overload
    def __getitem__(self, place: slice) -> list[Candidate]: ...

    def __getitem__(self, place: int | slice) -> Candidate | list[Candidate]:
        found = range(len(self))[place]
        return next(self._some([found])) if isinstance(found, int) else list(self._some(found))

    def _some(self, numbers: Iterable[int]) -> Iterator[Candidate]:
        read, texts = None, {}
        for number in numbers:
            segment = self._segments[number]
            # Screens of a segment stand together.
            if segment != read:
                read, texts = segment, {text.pk: text for text in self._texts.of_segment(segment)}
            places = range(self._ends[number - 1] if number else 0, self._ends[number])
            items = tuple(
                (texts[self._firsts[place]], texts.get(self._seconds[place])) for place in places
            )
            yield Candidate(segment, self._systems[number], items)
