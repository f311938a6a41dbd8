"""As which aspect each name of uploaded files is read: shown on the mapping page, and corrected."""

from collections.abc import Mapping, Sequence
from typing import Any

from corpus.aspects import ASPECTS, FAMILIES, FAMILY_TITLES, aspect_of

_OWN = {
    f"family:{family}": "a separate aspect without family"
    if family == "other"
    else f"a separate aspect of the family {FAMILY_TITLES[family]}"
    for family in FAMILIES
}
CHOICES = {f"aspect:{key}": aspect.title for key, aspect in ASPECTS.items()} | _OWN


class AspectsForm:
    """A choice for each name that is not the key of an aspect.

    Parameters
    ----------
    names
        The names that the files have and nobody has declared.
    known
        What was chosen before.
    data
        What was sent: ``aspect-name-0`` and ``aspect-0``, and so on; None if nothing was.
    """

    def __init__(
        self,
        names: Sequence[str],
        known: Mapping[str, str] | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        self.names = names
        self.chosen: dict[str, str] = {
            name: (known or {}).get(name) or proposed(name) for name in names
        }
        self.sent: dict[str, str] = {}
        for key, name in data.items() if data is not None else ():
            place = key.removeprefix("aspect-name-")
            choice = data.get(f"aspect-{place}", "") if data else ""
            if place != key and choice in CHOICES:
                self.sent[str(name)] = choice
        self.chosen |= {name: self.sent[name] for name in self.chosen if name in self.sent}

    @property
    def declared(self) -> dict[str, Any]:
        """What was chosen other than proposed, as ``study.json`` would say it."""
        changed = {
            name: choice.partition(":")
            for name, choice in self.chosen.items()
            if choice != proposed(name)
        }
        entries = {name: {kind: value} for name, (kind, _, value) in changed.items()}
        return {"aspects": entries} if entries else {}

    def rows(self) -> list[dict[str, Any]]:
        """Return each name with its choices and why one is proposed."""
        return [
            {
                "name": name,
                "chosen": self.chosen[name],
                "why": _why(name),
                "choices": CHOICES.items(),
            }
            for name in self.names
        ]


def proposed(name: str) -> str:
    """Return the choice by which a name is read if nobody says otherwise."""
    found = aspect_of(name)
    return f"aspect:{found.key}" if found.key in ASPECTS else f"family:{found.family}"


def _why(name: str) -> str:
    found = aspect_of(name)
    if found.key in ASPECTS:
        return f"a synonym of {found.title.lower()}"
    return "no aspect has this name"
