"""Segments with their sources and references, in and out."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from corpus.handlers.texts import TEXT_COLUMNS, TextRow, text_row
from corpus.imports.batch import Batch, execute, query
from corpus.imports.checks import duplicates
from corpus.models import Output, Segment, Study
from corpus.models.text import REFERENCE_SYSTEM, SOURCE_SYSTEM
from corpus.tables import Counts, ExportedTable, RowProblem
from corpus.tabular.fields import Field, TableSpec

SPEC = TableSpec(
    name="segments",
    title="Segments: sources, references and direction",
    fields=(
        Field(
            "segment",
            "key",
            required=True,
            synonyms=("segment_id", "seg_id", "segid", "id", "key", "sent_id", "sentence_id"),
            help="what names the segment in every other table",
        ),
        Field(
            "source",
            "text",
            required=True,
            synonyms=("source_text", "src", "input", "source_sentence", "original"),
            help="the sentence that was to be transferred",
        ),
        Field("source_style", "text", synonyms=("style", "from_style", "src_style")),
        Field("target_style", "text", synonyms=("to_style", "tgt_style", "desired_style")),
        Field(
            "reference",
            "text",
            synonyms=(
                "ref",
                "references",
                "reference_text",
                "reference_{name}",
                "ref_{name}",
                "ref{name}",
            ),
            many="list",
            help="zero or more human rewrites: reference_1, reference_2, …",
        ),
    ),
    keep_other_columns_as_attributes=True,
    recognised_by=(("source",),),
    file_names=("segment", "source"),
)


class SegmentsTable:
    """Handler of segments; their sources and references become outputs of pseudo-systems."""

    spec = SPEC
    order = 10
    inline_key = None

    def stage(self, batch: Batch, file: int, records: Iterator[Any]) -> int:
        """Write segments, then their texts, chunk by chunk."""
        count = 0
        while chunk := list(islice(records, 2000)):
            count += batch.insert(
                "corpus_stagedsegment",
                ("file", "line", "key", "source_style", "target_style", "attributes"),
                (
                    (file, line, key, source_style or "", target_style or "", _json(attributes))
                    for line, (key, _, source_style, target_style, _, attributes) in chunk
                ),
            )
            batch.insert("corpus_stagedtext", TEXT_COLUMNS, _texts(batch, file, chunk))
        return count

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Duplicate keys, and segments that differ from the stored ones."""
        yield from duplicates(batch, "corpus_stagedsegment", {"segment": "key"})
        stored = {
            key: (f"{source_style} → {target_style}", attributes)
            for key, source_style, target_style, attributes in Segment.objects.filter(
                study=batch.study
            ).values_list("key", "source_style", "target_style", "attributes")
        }
        if not stored:
            return
        for file, line, key, source_style, target_style, attributes in _staged(batch):
            direction, known = stored.get(key, ("", {}))
            if key in stored and direction != f"{source_style} → {target_style}":
                yield _differs(
                    file, line, "source_style", f"{source_style} → {target_style}", direction, key
                )
            for name, value in attributes.items():
                if known.get(name, value) != value:
                    yield _differs(
                        file, line, "segment", f"{name} = {value}", f"{name} = {known[name]}", key
                    )

    def prepare(self, batch: Batch) -> None:
        """Nothing: segments are few."""

    def publish(self, batch: Batch) -> Counts:
        """Insert new segments after the stored ones; add attributes that stored ones lacked."""
        total = sum(1 for _ in _staged(batch))
        added = execute(
            """INSERT INTO corpus_segment
                   (study_id, ordinal, key, source_style, target_style, attributes)
               SELECT %(study)s, base.next + ROW_NUMBER() OVER (ORDER BY st.id) - 1, st.key,
                      st.source_style, st.target_style, st.attributes
               FROM corpus_stagedsegment st
               CROSS JOIN (SELECT COALESCE(MAX(ordinal), -1) + 1 AS next
                           FROM corpus_segment WHERE study_id = %(study)s) base
               LEFT JOIN corpus_segment sg ON sg.study_id = %(study)s AND sg.key = st.key
               WHERE st.job_id = %(job)s AND sg.id IS NULL ORDER BY st.id""",
            {"study": batch.study.pk, "job": batch.job.pk},
        )
        updated = _add_attributes(batch)
        return Counts(added=added + updated, unchanged=total - added - updated)

    def discard(self, batch: Batch) -> None:
        """Forget the staged segments."""
        execute("DELETE FROM corpus_stagedsegment WHERE job_id = %(job)s", {"job": batch.job.pk})

    def declare(self, study: Study) -> dict[str, Any]:
        """Nothing: the table says all."""
        return {}

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give one row a segment, with as many reference columns as any segment needs."""
        if not study.segments.exists():
            return
        references = (
            study.outputs.filter(system__name=REFERENCE_SYSTEM)
            .order_by("-variant")
            .values_list("variant", flat=True)
            .first()
            or 0
        )
        names = _attribute_names(study)
        reference_columns = [f"reference_{number + 1}" for number in range(references)]
        yield ExportedTable(
            file_name="segments.csv",
            columns=["segment", "source", "source_style", "target_style"]
            + [*reference_columns, *names],
            rows=_rows(study, references, names),
            mapping={
                "table": "segments",
                "columns": {
                    "segment": "segment",
                    "source": "source",
                    "source_style": "source_style",
                    "target_style": "target_style",
                }
                | ({"reference": reference_columns} if reference_columns else {}),
                "attributes": names,
            },
        )


def _json(attributes: dict[str, Any]) -> str:
    kept = {key: str(value) for key, value in attributes.items() if value not in ("", None)}
    return json.dumps(kept, ensure_ascii=False)


def _texts(batch: Batch, file: int, chunk: list[Any]) -> Iterator[TextRow]:
    for line, (key, source, _, _, references, _) in chunk:
        yield text_row(batch, file, line, key, SOURCE_SYSTEM, 1, source)
        for variant, text in enumerate(references or (), start=1):
            yield text_row(batch, file, line, key, REFERENCE_SYSTEM, variant, text)


def _staged(batch: Batch) -> Iterator[tuple[int, int, str, str, str, dict[str, Any]]]:
    rows = query(
        """SELECT file, line, key, source_style, target_style, attributes
           FROM corpus_stagedsegment WHERE job_id = %(job)s ORDER BY id""",
        {"job": batch.job.pk},
    )
    for *row, attributes in rows:
        yield (*row, json.loads(attributes))


def _differs(file: int, line: int, field: str, found: str, stored: str, key: str) -> RowProblem:
    return RowProblem(
        file=file,
        line=line,
        field=field,
        found=found,
        expected=f"{stored}, as stored",
        message=f"segment {key} is stored with {stored}; what is stored does not change",
        code="differs",
    )


def _add_attributes(batch: Batch) -> int:
    """Add attributes that stored segments lacked; return how many segments gained some."""
    stored = {segment.key: segment for segment in Segment.objects.filter(study=batch.study)}
    changed = []
    for *_, key, _, _, attributes in _staged(batch):
        segment = stored[key]
        if not attributes.items() <= segment.attributes.items():
            segment.attributes = {**segment.attributes, **attributes}
            changed.append(segment)
    Segment.objects.bulk_update(changed, ["attributes"], batch_size=500)
    return len(changed)


def _attribute_names(study: Study) -> list[str]:
    names: dict[str, None] = {}
    for attributes in study.segments.order_by("ordinal").values_list("attributes", flat=True):
        names.update(dict.fromkeys(attributes))
    return list(names)


def _rows(study: Study, references: int, names: list[str]) -> Iterator[list[str]]:
    """Join segments and their texts, both in the order of segments, holding one at a time."""
    texts = (
        Output.objects.filter(study=study, system__kind__in=["source", "reference"])
        .order_by("segment__ordinal", "-system__kind", "variant")
        .values_list("segment_id", "system__name", "variant", "text")
        .iterator(chunk_size=5000)
    )
    pending = next(texts, None)
    for segment in study.segments.order_by("ordinal").iterator(chunk_size=5000):
        source, rewrites = "", [""] * references
        while pending is not None and pending[0] == segment.pk:
            _, system, variant, text = pending
            if system == SOURCE_SYSTEM:
                source = text
            else:
                rewrites[variant - 1] = text
            pending = next(texts, None)
        attributes = [segment.attributes.get(name, "") for name in names]
        yield [segment.key, source, segment.source_style, segment.target_style] + [
            *rewrites,
            *attributes,
        ]
