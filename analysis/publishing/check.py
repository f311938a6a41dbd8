"""What one check of a publication found. Pure: this module imports no Django."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

PASSED, NOTE, WARNING, BLOCKING = "passed", "note", "warning", "blocking"
PLACES_SHOWN = 20
WORDS = {
    PASSED: "passed",
    NOTE: "please note",
    WARNING: "to be confirmed",
    BLOCKING: "must be corrected",
}


@dataclass(frozen=True)
class Check:
    """A check with its verdict.

    Attributes
    ----------
    name
        By which a warning is confirmed.
    title
        What is checked.
    verdict
        ``passed``; ``note``, which keeps nobody from publishing; ``warning``, which has to be
        confirmed by its name; or ``blocking``.
    why
        What was found.
    where
        The places, the first of them where there are many.
    places
        How many places there are.
    advice
        What to do.
    """

    name: str
    title: str
    verdict: str = PASSED
    why: str = ""
    where: tuple[str, ...] = ()
    places: int = 0
    advice: str = ""

    @property
    def words(self) -> str:
        """The verdict for readers."""
        return WORDS[self.verdict]

    @property
    def more(self) -> int:
        """How many places are not listed."""
        return self.places - len(self.where)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary."""
        return asdict(self) | {"where": list(self.where)}


def found(
    name: str, title: str, verdict: str, why: str, where: Sequence[str] = (), advice: str = ""
) -> Check:
    """Return a check that found something, with the first of its places."""
    return Check(name, title, verdict, why, tuple(where[:PLACES_SHOWN]), len(where), advice)


def none_found(
    name: str, title: str, verdict: str, why: str, where: Sequence[str], advice: str = ""
) -> Check:
    """Return a check that is passed if there are no places, else what `found` returns."""
    return found(name, title, verdict, why, where, advice) if where else Check(name, title)


def gravest_first(checks: Sequence[Check]) -> list[Check]:
    """Return checks with what is in the way before what passed."""
    order = [BLOCKING, WARNING, NOTE, PASSED]
    return sorted(checks, key=lambda check: order.index(check.verdict))


def objections(checks: Sequence[Check], accepted: Sequence[str]) -> list[Check]:
    """Return what keeps a study from being published: errors, and warnings nobody confirmed."""
    return [
        check
        for check in checks
        if check.verdict == BLOCKING or (check.verdict == WARNING and check.name not in accepted)
    ]


def confirmed(checks: Sequence[Check], accepted: Sequence[str]) -> list[str]:
    """Return the names of the warnings that were confirmed."""
    return sorted(c.name for c in checks if c.verdict == WARNING and c.name in accepted)


def sentences(checks: Sequence[Check], accepted: Sequence[str]) -> tuple[str, ...]:
    """Say what was checked, for the documents of a publication; no place is named there."""
    said = []
    for check in checks:
        if check.verdict == WARNING and check.name in accepted:
            said.append(f"{check.title}: confirmed by the publisher. {check.why}")
        elif check.verdict == NOTE:
            said.append(f"{check.title}: {check.why}")
        else:
            said.append(f"{check.title}: {check.words}.")
    return tuple(said)
