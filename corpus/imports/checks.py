"""Checks of staged rows against each other and against what is stored, as set operations."""

from collections.abc import Iterator, Mapping

from corpus.imports.batch import Batch, query
from corpus.tables import RowProblem

LIMIT = 101


def duplicates(batch: Batch, table: str, keys: Mapping[str, str]) -> Iterator[RowProblem]:
    """Find staged rows that repeat the key of an earlier one.

    Parameters
    ----------
    table
        A staging table.
    keys
        Field of the import format → column of the staging table.
    """
    columns = ", ".join(keys.values())
    rows = query(
        f"""SELECT file, line, first_file, first_line, {columns} FROM (
                SELECT id, file, line, {columns},
                       FIRST_VALUE(file) OVER same_key AS first_file,
                       FIRST_VALUE(line) OVER same_key AS first_line,
                       ROW_NUMBER() OVER same_key AS occurrence
                FROM {table} WHERE job_id = %(job)s
                WINDOW same_key AS (PARTITION BY {columns} ORDER BY id)) numbered
            WHERE occurrence > 1 ORDER BY id LIMIT {LIMIT}""",  # noqa: S608
        {"job": batch.job.pk},
    )
    for file, line, first_file, first_line, *key in rows:
        found = ", ".join(str(part) for part in key if part != "")
        where = f"{batch.file_names[first_file]}:{first_line}"
        yield RowProblem(
            file=file,
            line=line,
            field=next(iter(keys)),
            found=found,
            expected=f"each {' + '.join(keys)} once",
            message=f"the key {found} stands already at {where}; remove one of the two rows",
            code="duplicate",
        )


def unknown_segments(batch: Batch, table: str) -> Iterator[RowProblem]:
    """Find staged rows whose segment is neither stored nor in this import."""
    rows = query(
        f"""SELECT st.file, st.line, st.segment_key FROM {table} st
            LEFT JOIN corpus_segment sg ON sg.study_id = %(study)s AND sg.key = st.segment_key
            LEFT JOIN (SELECT DISTINCT key FROM corpus_stagedsegment WHERE job_id = %(job)s) ns
                ON ns.key = st.segment_key
            WHERE st.job_id = %(job)s AND sg.id IS NULL AND ns.key IS NULL
            ORDER BY st.id LIMIT {LIMIT}""",  # noqa: S608
        {"job": batch.job.pk, "study": batch.study.pk},
    )
    for file, line, key in rows:
        yield RowProblem(
            file=file,
            line=line,
            field="segment",
            found=key,
            expected="a segment of this study or of this import",
            message=f"no segment {key!r}; add it to the segments table or correct the key",
            code="unknown-segment",
        )


def unknown_outputs(batch: Batch, table: str, system: str = "system_name") -> Iterator[RowProblem]:
    """Find staged rows of a known segment that speak of an output which does not exist."""
    variant = "st.variant" if system == "system_name" else "1"
    rows = query(
        f"""SELECT st.file, st.line, st.segment_key, st.{system},
                   EXISTS (SELECT 1 FROM corpus_system sy
                           WHERE sy.study_id = %(study)s AND sy.name = st.{system})
                   OR EXISTS (SELECT 1 FROM corpus_stagedtext ot
                              WHERE ot.job_id = %(job)s AND ot.system_name = st.{system})
            FROM (SELECT st.* FROM {table} st
                  LEFT JOIN (SELECT sg.key, sy.name, o.variant FROM corpus_output o
                             JOIN corpus_segment sg ON sg.id = o.segment_id
                             JOIN corpus_system sy ON sy.id = o.system_id
                             WHERE o.study_id = %(study)s
                             UNION SELECT segment_key, system_name, variant
                             FROM corpus_stagedtext WHERE job_id = %(job)s) known
                      ON known.key = st.segment_key AND known.name = st.{system}
                         AND known.variant = {variant}
                  WHERE st.job_id = %(job)s AND st.{system} <> '' AND known.key IS NULL
                  ORDER BY st.id LIMIT {LIMIT}) st
            WHERE EXISTS (SELECT 1 FROM corpus_segment sg
                          WHERE sg.study_id = %(study)s AND sg.key = st.segment_key)
               OR EXISTS (SELECT 1 FROM corpus_stagedsegment ns
                          WHERE ns.job_id = %(job)s AND ns.key = st.segment_key)
            ORDER BY st.id""",  # noqa: S608
        {"job": batch.job.pk, "study": batch.study.pk},
    )
    for file, line, segment, name, system_known in rows:
        message = (
            f"system {name!r} has no output for segment {segment!r}"
            if system_known
            else f"no system {name!r}; import its outputs first, or correct the name"
        )
        yield RowProblem(
            file=file,
            line=line,
            field="system" if system == "system_name" else system,
            found=name,
            expected="a system with an output for this segment",
            message=message,
            code="unknown-output" if system_known else "unknown-system",
        )
