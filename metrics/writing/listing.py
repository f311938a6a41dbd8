"""The systems of a study that were written here, with what is missing of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from corpus.models import AuditEntry, Study, System
from metrics.writing.asking import reasons
from metrics.writing.requests import SIGNATURE, WRITER


@dataclass(frozen=True)
class WrittenSystem:
    """A system that was written here.

    Attributes
    ----------
    system
    outputs
        How many outputs it has.
    signature
        In full, as the record has it.
    missing
        Reason, number of outputs, key of the first segment.
    """

    system: System
    outputs: int
    signature: str
    missing: list[tuple[str, int, str]]

    @property
    def attributes(self) -> dict[str, Any]:
        """What is declared of it."""
        return dict(self.system.attributes)

    @property
    def missing_count(self) -> int:
        """How many outputs are missing with a reason."""
        return sum(count for _, count, _ in self.missing)


def written_systems(study: Study) -> list[WrittenSystem]:
    """Return the systems that were written here, in the order of the study."""
    systems = study.systems.filter(kind=System.Kind.SYSTEM).annotate(texts=Count("outputs"))
    chosen = [each for each in systems if {WRITER, SIGNATURE} <= each.attributes.keys()]
    records = AuditEntry.objects.filter(study=study, action="write outputs").order_by("pk")
    full = {
        about: (after or {}).get("signature", "")
        for about, after in records.values_list("object", "after")
    }
    return [
        WrittenSystem(
            each,
            each.texts,
            signature := full.get(each.name) or each.attributes[SIGNATURE],
            reasons(study, signature),
        )
        for each in chosen
    ]
