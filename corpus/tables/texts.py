"""Texts on their way in: sources, references and outputs share one staging table."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import count, repeat
from typing import Any

from corpus.imports.batch import Batch
from corpus.imports.checks import duplicates
from corpus.imports.keys_only import FILL_IN
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import execute, query
from corpus.models import Output
from corpus.models.text import REFERENCE_SYSTEM, SOURCE_SYSTEM
from corpus.tabular.shaping.fields import TableSpec

TEXT_COLUMNS = ("file", "line", "segment_key", "system_name", "variant", "text", "sha256")
TextRow = tuple[int, int, str, str, int, str, str]
NUMBERS = "ordinals of texts"
PSEUDO_SYSTEMS = {SOURCE_SYSTEM: "source", REFERENCE_SYSTEM: "reference"}


def text_row(
    batch: Batch, file: int, line: int, segment: str, system: str, variant: int, text: str
) -> TextRow:
    """Return a staging row, the text normalised if the import asks for it."""
    text = batch.options.normalised(text)
    return file, line, segment, system, variant, text, sha256(text.encode()).hexdigest()


def stage_texts(batch: Batch, rows: Iterable[TextRow]) -> int:
    """Write texts into staging; those of a study that has none get their ordinals on the way.

    To number them afterwards writes each of them again.
    """
    if NUMBERS not in batch.memory:
        batch.memory[NUMBERS] = repeat(None) if _has_outputs(batch) else count()
    ordinals = batch.memory[NUMBERS]
    return batch.insert(
        "corpus_stagedtext",
        (*TEXT_COLUMNS, "ordinal"),
        ((*row, next(ordinals)) for row in rows),
    )


def _has_outputs(batch: Batch) -> bool:
    return Output.objects.filter(study=batch.study).exists()


def attribute_texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Return attributes as texts, without those that have none; lists and objects as JSON."""
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in values.items()
        if value not in ("", None)
    }


_STORED = """
    JOIN corpus_segment sg ON sg.study_id = %(study)s AND sg.key = st.segment_key
    JOIN corpus_system sy ON sy.study_id = %(study)s AND sy.name = st.system_name
    JOIN corpus_output o ON o.segment_id = sg.id AND o.system_id = sy.id
         AND o.variant = st.variant
"""


# Sources and references of a repeated segment repeat with it; that is said of the segment.
_NOT_OF_A_REPEATED_SEGMENT = f"""
    NOT (system_name IN ('{SOURCE_SYSTEM}', '{REFERENCE_SYSTEM}')
         AND file IN (SELECT sg.file FROM corpus_stagedsegment sg WHERE sg.job_id = %(job)s))
"""  # noqa: S608


def text_problems(batch: Batch, spec: TableSpec) -> Iterator[RowProblem]:
    """Duplicate texts, and texts that differ from the stored ones."""
    keys = {"segment": "segment_key", "system": "system_name", "variant": "variant"}
    yield from duplicates(batch, "corpus_stagedtext", spec, keys, only=_NOT_OF_A_REPEATED_SEGMENT)
    rows = batch.faulty(
        "differs",
        f"""SELECT st.file, st.line, st.segment_key, st.system_name, st.text, o.text,
                   COUNT(*) OVER ()
            FROM corpus_stagedtext st {_STORED}
            WHERE st.job_id = %(job)s AND o.sha256 <> st.sha256 AND o.sha256 <> ''
            ORDER BY st.id""",  # noqa: S608
        {"job": batch.job.pk, "study": batch.study.pk},
    )
    for file, line, segment, system, text, stored in rows:
        yield RowProblem(
            file=file,
            line=line,
            field=PSEUDO_SYSTEMS.get(system, "output"),
            found=text,
            expected=f"the stored text {stored[:80]!r}",
            message=(
                f"the text of {system} for segment {segment} differs from the stored one; a "
                "stored text never changes: give the new text another key or system name"
            ),
            code="differs",
        )


def number_new_texts(batch: Batch) -> None:
    """Give each text that is not stored yet its ordinal, after the highest one in use."""
    if _are_numbered(batch):
        return
    left = _STORED.replace("JOIN", "LEFT JOIN")
    with batch.writing():
        execute(
            """UPDATE corpus_stagedtext SET ordinal = NULL
               WHERE job_id = %(job)s AND ordinal IS NOT NULL""",
            {"job": batch.job.pk},
        )
        execute(
            f"""UPDATE corpus_stagedtext SET ordinal = numbered.ordinal
                FROM (SELECT st.id, base.next + ROW_NUMBER() OVER (ORDER BY st.id) - 1 AS ordinal
                      FROM corpus_stagedtext st
                      CROSS JOIN (SELECT COALESCE(MAX(ordinal), -1) + 1 AS next
                                  FROM corpus_output WHERE study_id = %(study)s) base {left}
                      WHERE st.job_id = %(job)s AND o.id IS NULL) numbered
                WHERE corpus_stagedtext.id = numbered.id""",  # noqa: S608
            {"job": batch.job.pk, "study": batch.study.pk},
        )


def _are_numbered(batch: Batch) -> bool:
    """Whether staging gave every text its ordinal, and neither sampling nor a baseline came since.

    Ordinals have no gaps.
    """
    total, numbered, highest = next(
        query(
            """SELECT COUNT(*), COUNT(ordinal), MAX(ordinal) FROM corpus_stagedtext
               WHERE job_id = %(job)s""",
            {"job": batch.job.pk},
        )
    )
    return total == numbered == (highest or 0) + 1 and not _has_outputs(batch)


def publish_texts(batch: Batch) -> None:
    """Insert the numbered texts in one statement; fill in those of outputs that had none."""
    if batch.study.without_texts:
        execute(FILL_IN, {"job": batch.job.pk, "study": batch.study.pk})
    execute(
        """INSERT INTO corpus_output
               (study_id, ordinal, segment_id, system_id, variant, text, sha256)
           SELECT %(study)s, st.ordinal, sg.id, sy.id, st.variant, st.text, st.sha256
           FROM corpus_stagedtext st
           JOIN corpus_segment sg ON sg.study_id = %(study)s AND sg.key = st.segment_key
           JOIN corpus_system sy ON sy.study_id = %(study)s AND sy.name = st.system_name
           WHERE st.job_id = %(job)s AND st.ordinal IS NOT NULL ORDER BY st.ordinal""",
        {"job": batch.job.pk, "study": batch.study.pk},
    )
