"""Changing what is declared of systems: human or not, model, parameter, value, group and others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import AuditEntry, Study, System
from corpus.vocabulary.names import attributes_from_name

USUAL = ("model", "parameter", "value", "group")
Attributes = Mapping[str, Any]


def attribute_names(systems: Iterable[System], further: Iterable[str] = ()) -> list[str]:
    """Return the usual attributes, then any other that a system has, then further ones."""
    others = sorted({name for system in systems for name in system.attributes} - {"human"})
    return list(dict.fromkeys((*USUAL, *others, *further)))


@dataclass(frozen=True)
class FromNames:
    """What a pattern reads out of the names of systems: attributes by primary key."""

    attributes: dict[int, dict[str, str]]
    unmatched: list[str]

    @property
    def names(self) -> list[str]:
        """The attributes that stand in names."""
        return list(dict.fromkeys(name for found in self.attributes.values() for name in found))


def read_names(systems: Iterable[System], pattern: str) -> FromNames:
    """Read attributes out of names; nothing is stored."""
    result = FromNames({}, [])
    for system in systems:
        found = attributes_from_name(pattern, system.name)
        if found:
            result.attributes[system.pk] = found
        else:
            result.unmatched.append(system.name)
    return result


def change_attributes(study: Study, wanted: Mapping[int, Attributes], actor: User) -> list[str]:
    """Store attributes of systems by primary key; return the names of those that changed.

    Attributes that a system has and `wanted` does not name stay; an empty text or None takes an
    attribute away. Each change is recorded, and the study's revision grows once.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        changed = []
        for system in study.systems.filter(kind=System.Kind.SYSTEM, pk__in=list(wanted)):
            before = system.attributes
            after = _stated({**before, **wanted[system.pk]})
            if after != _stated(before):
                system.attributes = after
                changed.append((system, before))
        for system, before in changed:
            AuditEntry.record(
                study, actor, "change system", system.name, before=before, after=system.attributes
            )
        if changed:
            System.objects.bulk_update([system for system, _ in changed], ["attributes"])
            study.revision += 1
            study.save(update_fields=["revision"])
    return [system.name for system, _ in changed]


def _stated(attributes: Attributes) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value not in ("", None)}
