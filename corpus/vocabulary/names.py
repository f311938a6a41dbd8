"""What names tell: roles of systems, splits, and patterns that name several things."""

import re
from dataclasses import dataclass
from typing import Any

HUMAN, REFERENCE, SYSTEM = "human", "reference", "system"
ROLES = {
    HUMAN: "human, kept as a system",
    REFERENCE: "human, references of segments",
    SYSTEM: "not human: a system",
}
"""What a name may turn out to be, in words."""
_WORDS = re.compile(r"[a-z]+|\d+")
_HUMAN = frozenset(
    _WORDS.findall(
        "human humans people crowd crowdworker crowdworkers crowdsourced turker turkers annotator "
        "annotators ref refs reference references gold golden groundtruth manual handwritten"
    )
)
_WITH_HUMAN = frozenset(
    _WORDS.findall(
        "standard written writer writers writing writings author authors authored expert experts "
        "made produced created generated edited worker workers rewrite rewrites rewritten "
        "rewriting text texts annotation annotations summary summaries translation translations "
        "simplification simplifications paraphrase paraphrases response responses answer answers "
        "caption captions story stories sentence sentences output outputs by the of"
    )
)
_GROUND_TRUTH = re.compile(r"ground[\W_]*truth")
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")


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
    def of(cls, pattern: str) -> "NamePattern":
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


def seems_human(name: str) -> bool:
    """Whether a name is conventional for texts that people wrote.

    Examples
    --------
    >>> [seems_human(name) for name in ("Human-A.0", "refB", "gold", "REF", "human_rewrite_2")]
    [True, True, True, True, True]
    >>> [seems_human(name) for name in ("Human 1 Writing", "ground truth", "human-authored")]
    [True, True, True]
    >>> [seems_human(name) for name in ("BART", "RefNet", "human-tuned BART", "A.0", "goldfish")]
    [False, False, False, False, False]
    """
    name = re.sub(r"(?i)(ref|human)([a-d])$", r"\1 \2", _CAPITALS.sub(" ", name))
    words = _WORDS.findall(_GROUND_TRUTH.sub("groundtruth", name.lower()))
    others = [word for word in words if word not in _HUMAN]
    return len(others) < len(words) and all(
        word in _WITH_HUMAN or word.isdigit() or len(word) == 1 for word in others
    )


def wrong_role(roles: Any) -> str:
    """Say what is wrong with roles as somebody wrote them; empty if nothing is."""
    for name, role in roles.items():
        if role not in ROLES:
            return f"system_roles of {name} is {role!r}: expected one of {', '.join(ROLES)}"
    return ""


def question_words(name: str) -> str:
    """Say how a name was read, and how to say otherwise."""
    return (
        f"System {name} is taken for human-written because of its name; reports leave it out of "
        f"correlations. If it is a system, import it with --system-role {name}=system; if its "
        f"texts are references of the segments, with --system-role {name}=reference (page and "
        "API: system_roles). Later, say on the systems page whether it is human-written."
    )
