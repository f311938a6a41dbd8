"""Segments with their sources and references, in and out."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from django.db import connection

from corpus.imports.batch import Batch
from corpus.imports.checks import duplicates
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import execute, query
from corpus.models import Output, Study
from corpus.models.text import REFERENCE_SYSTEM, SOURCE_SYSTEM
from corpus.tables.keys import SEGMENT, columns_apart_from
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tables.texts import TextRow, attribute_texts, stage_texts, text_row
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, TableSpec
from corpus.tabular.shaping.mapping import list_of

SPEC = TableSpec(
    name="segments",
    title="Segments: sources, references and direction",
    fields=(
        SEGMENT,
        Field("source", "text", required=True, help="the sentence that was to be transferred"),
        Field("source_style", "key", longest=100),
        Field("target_style", "key", longest=100),
        Field(
            "reference",
            "text",
            many="list",
            help="zero or more human rewrites: reference_1, reference_2, …",
        ),
    ),
    keep_other_columns_as_attributes=True,
    recognised_by=(("source",),),
    file_names=("segment", "source"),
)
_SEGMENTS_AT_A_TIME = 2000


class SegmentsTable(TableHandler):
    """Handler of segments; their sources and references become outputs of pseudo-systems."""

    spec = SPEC
    order = 10
    staging = ("corpus_stagedsegment",)

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Write segments, then their texts, chunk by chunk."""
        count = 0
        rows = iter(records)
        while chunk := list(islice(rows, 2000)):
            count += batch.insert(
                "corpus_stagedsegment",
                ("file", "line", "key", "source_style", "target_style", "attributes"),
                (
                    (file, line, key, source_style or "", target_style or "", _json(attributes))
                    for line, (key, _, source_style, target_style, _, attributes) in chunk
                ),
            )
            stage_texts(batch, _texts(batch, file, chunk))
        return count

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Duplicate keys, and segments that differ from the stored ones."""
        yield from duplicates(batch, "corpus_stagedsegment", SPEC, {"segment": "key"})
        for known in _already_stored(batch):
            yield from known.differences()

    def prepare(self, batch: Batch) -> None:
        """Keep in staging what is new; of stored segments, what they gain."""
        total = next(query(f"SELECT COUNT(*) {_STAGED}", {"job": batch.job.pk}))[0]
        batch.memory["segments in the tables"] = total
        gains, rest = [], []
        for known in _already_stored(batch):
            if known.gains:
                gains.append((_json(known.stored | known.staged), known.row))
            else:
                rest.append(known.row)
        batch.delete("corpus_stagedsegment", rest)
        with batch.writing(), connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE corpus_stagedsegment SET attributes = %s WHERE id = %s", gains
            )

    def publish(self, batch: Batch) -> Counts:
        """Add to stored segments what they gain; insert new ones after them."""
        parameters = {"study": batch.study.pk, "job": batch.job.pk}
        execute(_ADD_TO_STORED, parameters)
        execute(_INSERT_NEW, parameters)
        added = next(query(_counting_rows_that_add(batch), parameters))[0]
        return Counts(added=added, unchanged=batch.memory["segments in the tables"] - added)

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
        numbered = [f"reference_{number + 1}" for number in range(references)]
        columns = columns_apart_from([*_FIXED, *numbered], names)
        mapped = {name: columns[name] for name in _FIXED}
        if numbered:
            mapped["reference"] = list_of([columns[name] for name in numbered])
        yield ExportedTable(
            file_name="segments.csv",
            columns=[*columns.values(), *names],
            rows=_rows(study, references, names),
            mapping={"table": "segments", "columns": mapped, "attributes": names},
        )


_FIXED = ("segment", "source", "source_style", "target_style")
_STAGED = "FROM corpus_stagedsegment WHERE job_id = %(job)s"
_ADD_TO_STORED = """
    UPDATE corpus_segment SET attributes = st.attributes,
        source_style = COALESCE(NULLIF(corpus_segment.source_style, ''), st.source_style),
        target_style = COALESCE(NULLIF(corpus_segment.target_style, ''), st.target_style)
    FROM corpus_stagedsegment st
    WHERE st.job_id = %(job)s AND corpus_segment.study_id = %(study)s
      AND corpus_segment.key = st.key
"""
_INSERT_NEW = """
    INSERT INTO corpus_segment
        (study_id, ordinal, key, source_style, target_style, attributes)
    SELECT %(study)s, base.next + ROW_NUMBER() OVER (ORDER BY st.id) - 1, st.key,
           st.source_style, st.target_style, st.attributes
    FROM corpus_stagedsegment st
    CROSS JOIN (SELECT COALESCE(MAX(ordinal), -1) + 1 AS next
                FROM corpus_segment WHERE study_id = %(study)s) base
    LEFT JOIN corpus_segment sg ON sg.study_id = %(study)s AND sg.key = st.key
    WHERE st.job_id = %(job)s AND sg.id IS NULL ORDER BY st.id
"""


def _counting_rows_that_add(batch: Batch) -> str:
    """Return the SELECT that counts rows of the table of segments that add something.

    The segment is new or gains facts, or one of its texts is new; references that come in the
    table of outputs are no rows of this one.
    """
    files = [
        n for n, found in enumerate(batch.mappings) if any(m.table == SPEC.name for m in found)
    ]
    return f"""
        SELECT COUNT(*) FROM (
            SELECT key {_STAGED}
            UNION SELECT segment_key FROM corpus_stagedtext
            WHERE job_id = %(job)s AND ordinal IS NOT NULL
              AND file IN ({", ".join(map(str, files or [-1]))})
              AND system_name IN ('{SOURCE_SYSTEM}', '{REFERENCE_SYSTEM}')) adding
    """  # noqa: S608


class _KnownSegment(NamedTuple):
    """A staged segment beside the stored one of the same key."""

    row: int
    file: int
    line: int
    key: str
    directions: tuple[str, str, str, str]
    """Staged source and target style, stored source and target style."""
    staged: dict[str, str]
    stored: dict[str, str]

    @property
    def gains(self) -> bool:
        """Whether the stored segment lacks something that the staged one has."""
        source, target, stored_source, stored_target = self.directions
        styles = (source and not stored_source) or (target and not stored_target)
        return bool(styles) or not self.staged.keys() <= self.stored.keys()

    def differences(self) -> Iterator[RowProblem]:
        """Yield what contradicts the stored segment; what either lacks does not."""
        facts = [
            ("source_style", "source_style", self.directions[0], self.directions[2]),
            ("target_style", "target_style", self.directions[1], self.directions[3]),
        ]
        facts += [
            ("segment", name, value, self.stored.get(name, ""))
            for name, value in self.staged.items()
        ]
        for field, name, value, known in facts:
            if value and known and value != known:
                yield RowProblem(
                    file=self.file,
                    line=self.line,
                    field=field,
                    found=value if field == name else f"{name} = {value}",
                    expected=f"{known if field == name else f'{name} = {known}'}, as stored",
                    message=f"segment {self.key} is stored with {name} {known}; what is stored "
                    "does not change",
                    code="differs",
                )


def _already_stored(batch: Batch) -> Iterator[_KnownSegment]:
    rows = query(
        """SELECT st.id, st.file, st.line, st.key, st.source_style, st.target_style,
                  sg.source_style, sg.target_style, st.attributes, sg.attributes
           FROM corpus_stagedsegment st
           JOIN corpus_segment sg ON sg.study_id = %(study)s AND sg.key = st.key
           WHERE st.job_id = %(job)s ORDER BY st.id""",
        {"job": batch.job.pk, "study": batch.study.pk},
    )
    for row, file, line, key, *styles, staged, stored in rows:
        source, target, stored_source, stored_target = styles
        directions = (source, target, stored_source, stored_target)
        facts = (json.loads(staged), json.loads(stored))
        yield _KnownSegment(row, file, line, key, directions, *facts)


def _json(attributes: dict[str, Any]) -> str:
    return json.dumps(attribute_texts(attributes), ensure_ascii=False)


def _texts(batch: Batch, file: int, chunk: list[Any]) -> Iterator[TextRow]:
    for line, (key, source, _, _, references, _) in chunk:
        if source or not batch.options.without_texts:
            yield text_row(batch, file, line, key, SOURCE_SYSTEM, 1, source)
        for variant, text in enumerate(references or (), start=1):
            yield text_row(batch, file, line, key, REFERENCE_SYSTEM, variant, text)


def _attribute_names(study: Study) -> list[str]:
    names: dict[str, None] = {}
    for attributes in study.segments.order_by("ordinal").values_list("attributes", flat=True):
        names.update(dict.fromkeys(attributes))
    return list(names)


def _rows(study: Study, references: int, names: list[str]) -> Iterator[list[str]]:
    """Join segments and their texts, some hundred at a time, with no cursor left open."""
    for start in range(0, study.segments.count(), _SEGMENTS_AT_A_TIME):
        inside = {"ordinal__gte": start, "ordinal__lt": start + _SEGMENTS_AT_A_TIME}
        segments = study.segments.filter(**inside).order_by("ordinal")
        texts: dict[int, dict[tuple[str, int], str]] = {}
        found = Output.objects.filter(
            study=study,
            system__kind__in=["source", "reference"],
            **{f"segment__{name}": value for name, value in inside.items()},
        )
        for owner, system, variant, text in found.values_list(
            "segment_id", "system__name", "variant", "text"
        ):
            texts.setdefault(owner, {})[system, variant] = text
        for segment in segments:
            own = texts.get(segment.pk, {})
            yield [
                segment.key,
                own.get((SOURCE_SYSTEM, 1), ""),
                segment.source_style,
                segment.target_style,
                *(own.get((REFERENCE_SYSTEM, number + 1), "") for number in range(references)),
                *(segment.attributes.get(name, "") for name in names),
            ]
