"""Masked texts that were made elsewhere, in and out."""

from collections.abc import Iterator
from typing import Any

from corpus.imports.batch import Batch
from corpus.imports.checks import duplicates
from corpus.imports.places import LEFT_OUT
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import execute, query, refresh_statistics
from corpus.models import MaskedText, Study
from corpus.tables.keys import SEGMENT, SYSTEM
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import VARIANT, Field, TableSpec

SPEC = TableSpec(
    name="masked_texts",
    title="Masked texts: outputs with their style words replaced",
    fields=(
        SEGMENT,
        SYSTEM,
        VARIANT,
        Field(
            "recipe",
            "key",
            required=True,
            help="how the texts were masked, as a name of your choice",
        ),
        Field(
            "text",
            "text",
            required=True,
            help="of sources too: their system is (source)",
        ),
    ),
    recognised_by=(("recipe",), ("text",)),
    file_names=("masked",),
)
_STORED = """
    JOIN corpus_output o ON o.study_id = %(study)s AND o.ordinal = st.output
    {left} JOIN corpus_maskedtext m ON m.output_id = o.id AND m.recipe = st.recipe
"""
_SYSTEMS_AND_SEGMENTS = (
    # Pseudo-systems last: their place among systems depends on how a study was imported.
    *("recipe", "-output__system__kind", "output__system__ordinal"),
    *("output__segment__ordinal", "output__variant"),
)
_ROWS_AT_A_TIME = 5000


class MaskedTextsTable(TableHandler):
    """Handler of masked texts; like texts they never change once stored."""

    spec = SPEC
    order = 34
    staging = ("corpus_stagedmaskedtext",)

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Write masked texts into staging, by the ordinals of their outputs."""
        columns = ("file", "line", "output", "recipe", "text")
        return batch.insert("corpus_stagedmaskedtext", columns, _rows(batch, file, records))

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Repeated texts, and texts that differ from the stored ones."""
        yield from duplicates(
            batch,
            "corpus_stagedmaskedtext",
            SPEC,
            {"segment": "output", "recipe": "recipe"},
            describe=lambda key: f"{batch.places.describe(key[0])}, {key[1]}",
        )
        rows = batch.faulty(
            "differs",
            f"""SELECT st.file, st.line, st.output, st.recipe, st.text, m.text, COUNT(*) OVER ()
                FROM corpus_stagedmaskedtext st {_STORED.format(left="")}
                WHERE st.job_id = %(job)s AND m.text <> st.text ORDER BY st.id""",  # noqa: S608
            {"job": batch.job.pk, "study": batch.study.pk},
        )
        for file, line, output, recipe, text, stored in rows:
            yield RowProblem(
                file=file,
                line=line,
                field="text",
                found=text,
                expected=f"the stored text {stored[:80]!r}",
                message=(
                    f"the text of {batch.places.describe(output)} masked by {recipe} differs from "
                    "the stored one, which never changes: give the recipe another name"
                ),
                code="differs",
            )

    def publish(self, batch: Batch) -> Counts:
        """Insert what is new in one statement."""
        refresh_statistics("corpus_stagedmaskedtext", "corpus_output")
        parameters = {"study": batch.study.pk, "job": batch.job.pk}
        added = execute(
            f"""INSERT INTO corpus_maskedtext (output_id, recipe, text)
                SELECT o.id, st.recipe, st.text
                FROM corpus_stagedmaskedtext st {_STORED.format(left="LEFT")}
                WHERE st.job_id = %(job)s AND m.id IS NULL ORDER BY st.id""",  # noqa: S608
            parameters,
        )
        statement = "SELECT COUNT(*) FROM corpus_stagedmaskedtext WHERE job_id = %(job)s"
        [(total,)] = query(statement, parameters)
        return Counts(added=added, unchanged=total - added)

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give the texts recipe by recipe, in the order of systems and segments."""
        if not MaskedText.objects.filter(output__study=study).exists():
            return
        yield ExportedTable.plain(SPEC.name, SPEC.names, _exported(study))


def _rows(batch: Batch, file: int, records: Records) -> Iterator[tuple[Any, ...]]:
    for line, (segment, system, variant, recipe, text) in records:
        output = batch.places.find(segment, system, variant or 1)
        if output >= 0:
            yield file, line, output, recipe, batch.options.normalised(text or "")
        elif output != LEFT_OUT:
            batch.problem(batch.places.why_unknown(file, line, segment, system))


def _exported(study: Study) -> Iterator[tuple[Any, ...]]:
    texts = MaskedText.objects.filter(output__study=study)
    # First their order alone, then the texts some thousand at a time: no cursor stays open.
    ordered = list(texts.order_by(*_SYSTEMS_AND_SEGMENTS).values_list("pk", flat=True))
    for start in range(0, len(ordered), _ROWS_AT_A_TIME):
        page = ordered[start : start + _ROWS_AT_A_TIME]
        rows = texts.filter(pk__in=page).values_list(
            *("pk", "output__segment__key", "output__system__name", "output__variant"),
            *("recipe", "text"),
        )
        found = {pk: row for pk, *row in rows}
        yield from (tuple(found[pk]) for pk in page)
