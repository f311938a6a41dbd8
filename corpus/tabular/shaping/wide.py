"""Fields spread over columns: which columns, and what their names say."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

Labels = tuple[str, ...]
PLACEHOLDER = re.compile(r"\{(\w+)\}")
MOST_WAYS = 100
"""In which a name is split before it is refused: names are short, and people have to read them."""

MOST_ROUNDS = 5
"""In which what is known by then decides about names: time must not grow by their square."""


@dataclass(frozen=True)
class WidePattern:
    """A pattern taken apart.

    Attributes
    ----------
    names
        Its placeholders, in their order.
    literals
        The texts before, between and after them.
    """

    names: tuple[str, ...]
    literals: tuple[str, ...]

    @classmethod
    def of(cls, pattern: str) -> "WidePattern":
        """Return a pattern taken apart; `ValueError` if it can split no name."""
        parts = PLACEHOLDER.split(pattern)
        names, literals = tuple(parts[1::2]), tuple(parts[0::2])
        if not names or len(set(names)) < len(names) or not all(literals[1:-1]):
            raise ValueError(pattern)
        return cls(names, literals)

    def ways(self, name: str) -> Iterator[Labels]:
        """Yield every way to split a name; no part is empty."""
        start, *rest = self.literals
        if name.startswith(start):
            yield from _ways(name, len(start), rest)


def _ways(name: str, begin: int, literals: list[str]) -> Iterator[Labels]:
    """Yield the ways to split a name from some character on, the shortest first parts first."""
    literal, *rest = literals
    if not rest:
        end = len(name) - len(literal)
        if end > begin and name.endswith(literal):
            yield (name[begin:end],)
        return
    end = name.find(literal, begin + 1)
    while end >= 0 and _fits(name, end + len(literal), rest):
        for others in _ways(name, end + len(literal), rest):
            yield (name[begin:end], *others)
        end = name.find(literal, end + 1)


def _fits(name: str, begin: int, literals: list[str]) -> bool:
    """Return whether there is any way to split a name from some character on."""
    for literal in literals[:-1]:
        end = name.find(literal, begin + 1)
        if end < 0:
            return False
        begin = end + len(literal)
    return len(name) - len(literals[-1]) > begin and name.endswith(literals[-1])


def split_names(pattern: WidePattern, names: Iterable[str]) -> tuple[dict[str, Labels], list[str]]:
    """Split the names that a pattern fits.

    A name that can be split in one way says what its parts are called. One that can be split in
    several is split in the way in which most parts are known by then, if there is one such way;
    what that makes known may decide about others.

    Returns
    -------
    tuple
        The labels of each name that the pattern fits, in the order of the names; and the names
        that remain ambiguous.

    Examples
    --------
    >>> pattern = WidePattern.of("{aspect}-{system}")
    >>> split_names(pattern, ["fluency-BART", "fluency-T5-base", "id"])[0]
    {'fluency-BART': ('fluency', 'BART'), 'fluency-T5-base': ('fluency', 'T5-base')}
    """
    every = ((name, list(islice(pattern.ways(name), MOST_WAYS + 1))) for name in names)
    found = {name: ways for name, ways in every if ways}
    decided = {name: ways[0] for name, ways in found.items() if len(ways) == 1}
    for _ in range(MOST_ROUNDS):
        known = [set(labels) for labels in zip(*decided.values(), strict=True)]
        best = {n: _best(ways, known) for n, ways in found.items() if n not in decided}
        decided |= {name: labels for name, labels in best.items() if labels}
    unclear = [name for name in found if name not in decided]
    return {name: decided[name] for name in found if name in decided}, unclear


def _best(ways: list[Labels], known: list[set[str]]) -> Labels | None:
    """Return the way in which most parts are known; None if no part is, or two are as good."""
    if len(ways) > MOST_WAYS:
        return None
    counts = [sum(map(set.__contains__, known, labels)) for labels in ways]
    most = max(counts)
    return ways[counts.index(most)] if most and counts.count(most) == 1 else None


def shared_pattern(names: Sequence[str], field: str) -> str:
    """Return a pattern with what names of columns share before their labels: ``q_{aspect}``."""
    first, last = min(names), max(names)
    shared = ""
    for place, (one, other) in enumerate(zip(first, last, strict=False), 1):
        if one != other:
            break
        if one in "_.: -":
            shared = first[:place]
    is_before_all = all(len(name) > len(shared) for name in names)
    return f"{shared * is_before_all}{{{field}}}"


def label_in(name: str, start: str, end: str) -> str | None:
    """Return what stands in a name between `start` and `end`; None if it does not match."""
    if len(name) > len(start) + len(end) and name.startswith(start) and name.endswith(end):
        return name[len(start) : len(name) - len(end)]
    return None


@dataclass(frozen=True)
class Wide:
    """Fields spread over columns: one record per cell, but an empty one is no number.

    Attributes
    ----------
    value
        Field that takes the cell.
    pattern
        Name of a column with fields in braces for its labels: ``score_{rater}``,
        ``Answer.{aspect}-{system}``, or ``{rater}`` if the label is the whole name. In JSON Lines
        ``outputs.{system}`` takes whatever keys each object has.
    columns
        The columns; empty if all that match `pattern`.
    """

    value: str
    pattern: str
    columns: tuple[str, ...] = ()

    @cached_property
    def parts(self) -> WidePattern:
        """The pattern taken apart; `ValueError` if it can split no name."""
        return WidePattern.of(self.pattern)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that take labels."""
        return self.parts.names

    def spread(self, columns: Sequence[str]) -> tuple[dict[str, Labels], list[str]]:
        """Return the labels of each column that is spread, and the columns that are ambiguous.

        Parameters
        ----------
        columns
            Of the file.
        """
        return split_names(self.parts, self.columns or columns)
