"""How earlier imports of a study read files with the same columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from corpus.imports.options import ImportOptions
from corpus.models import Study
from corpus.tabular.shaping.mapping import Mapping

JOBS_LOOKED_AT = 20


@dataclass(frozen=True)
class EarlierMapping:
    """The mappings by which an import read one file.

    Attributes
    ----------
    job
        Number of the import.
    at
        When it was asked for.
    name
        Of the file.
    mappings
        How it was read.
    """

    job: int
    at: datetime
    name: str
    mappings: tuple[Mapping, ...]

    @property
    def key(self) -> str:
        """What a button of the page sends."""
        return f"{self.job}:{self.name}"

    def fits(self, columns: Sequence[str]) -> bool:
        """Whether a file has all columns that were read."""
        known = set(columns)
        for mapping in self.mappings:
            if not known.issuperset(mapping.resolved(columns).sources()):
                return False
        return True

    @classmethod
    def all_of(cls, study: Study) -> list[Self]:
        """Return those of a study's imports that succeeded, latest first, each reading once."""
        found: dict[str, Self] = {}
        for job in study.jobs.filter(kind="import", state="done")[:JOBS_LOOKED_AT]:
            options = ImportOptions.from_dict(job.parameters.get("options", {}))
            for name, mappings in options.mappings.items():
                if mappings and not any(mapping.query for mapping in mappings):
                    each = cls(job.pk, job.created_at, name, tuple(mappings))
                    found.setdefault(repr(mappings), each)
        return list(found.values())
