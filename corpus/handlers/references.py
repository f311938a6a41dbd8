"""Outputs that turn out to be references: stored behind those that a segment has."""

from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256

from corpus.handlers.texts import TextRow, text_row
from corpus.imports.batch import Batch
from corpus.imports.statements import query
from corpus.models import Output
from corpus.models.text import REFERENCE_SYSTEM


class References:
    """The references of an import's segments, stored and staged; a text is stored once."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def rows(self, file: int, line: int, segment: str, text: str) -> Iterator[TextRow]:
        """Yield the staging row of a reference, unless the segment has that text already."""
        known = self._known.setdefault(segment, {})
        digest = sha256(self.batch.options.normalised(text).encode()).hexdigest()
        if digest not in known:
            known[digest] = 1 + max(known.values(), default=0)
            variant = known[digest]
            yield text_row(self.batch, file, line, segment, REFERENCE_SYSTEM, variant, text)

    @cached_property
    def _known(self) -> dict[str, dict[str, int]]:
        """Segment to the references it has: digest of the text to its number."""
        known: dict[str, dict[str, int]] = self.batch.memory.setdefault("references", {})
        if known:
            return known
        stored = Output.objects.filter(
            study=self.batch.study, system__name=REFERENCE_SYSTEM
        ).values_list("segment__key", "sha256", "variant")
        staged = query(
            """SELECT segment_key, sha256, variant FROM corpus_stagedtext
               WHERE job_id = %(job)s AND system_name = %(reference)s""",
            {"job": self.batch.job.pk, "reference": REFERENCE_SYSTEM},
        )
        for segment, digest, variant in [*stored, *staged]:
            known.setdefault(segment, {})[digest] = variant
        return known
