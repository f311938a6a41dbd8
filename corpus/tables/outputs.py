"""Outputs of systems, in and out."""

from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.db.models import Max

from corpus.imports.batch import Batch
from corpus.imports.keys_only import NO_TEXT, count_to_fill, refuse_text, unfilled
from corpus.imports.places import unknown_segment
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query
from corpus.models import Output, Study, System
from corpus.models.text import REFERENCE_SYSTEM
from corpus.tables.keys import SEGMENT, SYSTEM
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tables.systems import create_systems, is_reference
from corpus.tables.texts import (
    PSEUDO_SYSTEMS,
    TextRow,
    number_new_texts,
    publish_texts,
    stage_texts,
    text_problems,
    text_row,
)
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import VARIANT, Field, Spread, TableSpec
from corpus.vocabulary.names import REFERENCE


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


SPEC = TableSpec(
    name="outputs",
    title="Outputs: one system's text for one segment",
    fields=(
        SEGMENT,
        SYSTEM,
        Field("output", "text", required=True, help="may be empty: a system may return nothing"),
        VARIANT,
    ),
    wide=(Spread("system", "output"),),
    file_names=("output", "system", "hypothes"),
    named_by_file="system",
    told_apart_by=("variant",),
)


class OutputsTable(TableHandler):
    """Handler of outputs; it also publishes the sources and references that segments staged."""

    spec = SPEC
    order = 30
    staging = ("corpus_stagedtext",)

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Write outputs into staging."""
        return stage_texts(batch, _rows(batch, file, records))

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Duplicates and changed texts; unknown segments were found while staging."""
        yield from text_problems(batch, SPEC)
        yield from unfilled(batch)

    def prepare(self, batch: Batch) -> None:
        """Number the new texts."""
        number_new_texts(batch)

    def publish(self, batch: Batch) -> Counts:
        """Create missing systems, then insert all new texts at once; count those of outputs."""
        create_systems(batch)
        filled = count_to_fill(batch) if batch.study.without_texts else 0
        publish_texts(batch)
        total, added = next(
            query(
                """SELECT COUNT(*), COUNT(ordinal) FROM corpus_stagedtext
                   WHERE job_id = %(job)s AND system_name NOT IN (%(first)s, %(second)s)""",
                {"job": batch.job.pk} | dict(zip(("first", "second"), PSEUDO_SYSTEMS, strict=True)),
            )
        )
        return Counts(added=added + filled, unchanged=total - added - filled)

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give the outputs system by system, in the order of segments."""
        outputs = Output.objects.filter(study=study, system__kind=System.Kind.SYSTEM)
        if not outputs.exists():
            return
        columns = ["segment", "system", "output"]
        if (outputs.aggregate(most=Max("variant"))["most"] or 1) > 1:
            columns.append("variant")
        yield ExportedTable.plain(SPEC.name, columns, _exported(study, len(columns)))


def _exported(study: Study, width: int) -> Iterator[tuple[Any, ...]]:
    for system in study.systems.filter(kind=System.Kind.SYSTEM).order_by("ordinal"):
        rows = (
            Output.objects.filter(system=system)
            .order_by("segment__ordinal", "variant")
            .values_list("segment__key", "text", "variant")
        )
        # The whole list at once: an open cursor would keep this connection from writing progress.
        for segment, text, variant in list(rows):
            yield (segment, system.name, text, variant)[:width]


def _rows(batch: Batch, file: int, records: Records) -> Iterator[TextRow]:
    known = batch.segment_keys
    references = References(batch)
    may_be_reference = REFERENCE in batch.options.system_roles.values()
    for line, (segment, system, output, variant) in records:
        if may_be_reference and segment in known and is_reference(batch, system):
            yield from references.rows(file, line, segment, output or "")
        elif segment in known:
            if batch.options.without_texts:
                if output:
                    refuse_text(batch, file)
                yield file, line, segment, system, variant or 1, "", NO_TEXT
                continue
            yield text_row(batch, file, line, segment, system, variant or 1, output or "")
        elif segment not in batch.sampled_out:
            batch.problem(unknown_segment(file, line, segment))
