"""Patterns such as `{model}-{value}`, by which attributes are read out of names in linear time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamePattern:
    """Names of attributes with fixed texts around them.

    Attributes
    ----------
    names
        The attributes, in order.
    literals
        What stands before the first, between each two, and after the last; may be empty.
    """

    names: tuple[str, ...]
    literals: tuple[str, ...]

    @classmethod
    def of(cls, pattern: str) -> NamePattern:
        """Read a pattern; `ValueError` unless it has names in braces, each of them once."""
        first, *rest = pattern.split("{")
        pieces = [piece.partition("}") for piece in rest]
        names = tuple(name for name, _, _ in pieces)
        literals = (first, *(literal for _, _, literal in pieces))
        closed = all(brace for _, brace, _ in pieces) and not any("}" in each for each in literals)
        if not (names and closed and all(map(str.isidentifier, names))):
            raise ValueError("expected names of attributes in braces")
        if len(set(names)) < len(names):
            raise ValueError("a name is there twice")
        return cls(names, literals)

    def attributes(self, name: str) -> dict[str, str]:
        """Read attributes out of a name; nothing if it does not match.

        Each attribute is as short as the rest allows and at least one character long. To take
        the first place of each literal is enough, for the last attribute takes what remains:
        no place is ever looked at again, so that no pattern can stop the program.

        Examples
        --------
        >>> NamePattern.of("{model}-{parameter}-{value}").attributes("CAAE-rho-0.01")
        {'model': 'CAAE', 'parameter': 'rho', 'value': '0.01'}
        >>> NamePattern.of("{model}-{value}").attributes("human")
        {}
        """
        first, *between, last = self.literals
        begin, end = len(first), len(name) - len(last)
        if not (name.startswith(first) and name.endswith(last)):
            return {}
        values = []
        for literal in between:
            place = name.find(literal, begin + 1, end)
            if place < 0:
                return {}
            values.append(name[begin:place])
            begin = place + len(literal)
        if begin >= end:
            return {}
        return dict(zip(self.names, (*values, name[begin:end]), strict=True))


def attributes_from_name(pattern: str, name: str) -> dict[str, str]:
    """Read attributes out of a system's name; nothing without a pattern."""
    return NamePattern.of(pattern).attributes(name) if pattern else {}
