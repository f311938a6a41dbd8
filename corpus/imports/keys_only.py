"""Studies without texts: segments, systems and outputs made from the keys of ratings and scores.

Only where the import asks for it and the study holds no texts of outputs, so that a misspelt key of
a study with texts never becomes an output of its own.
"""

from collections.abc import Iterator
from typing import Any

from corpus.imports.batch import Batch
from corpus.imports.options import OptionsError
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query
from corpus.models import Output
from corpus.models.text import REFERENCE_SYSTEM, SOURCE_SYSTEM

NO_TEXT = ""
"""In place of the SHA-256 of a text that is not known."""


def check_asked(batch: Batch) -> None:
    """Refuse an import without texts into a study that has some.

    Raises
    ------
    OptionsError
    """
    if not batch.options.without_texts or batch.study.without_texts:
        return
    if Output.objects.filter(study=batch.study, system__kind="system").exists():
        raise OptionsError(
            "without_texts: this study holds texts of outputs, and gets no outputs without; import "
            "into another study, or leave the option out (--without-texts, study.json)"
        )


def refuse_text(batch: Batch, file: int) -> None:
    """Say that an import without texts brings the text of an output.

    Raises
    ------
    OptionsError
    """
    raise OptionsError(
        f"without_texts: {batch.file_names[file]} brings texts of outputs; leave the option out "
        "(--without-texts, study.json) to import them"
    )


def stage_keys(batch: Batch) -> None:
    """Write what judgements and scores made into staging, beside segments and texts of tables."""
    there = batch.segment_keys
    file = len(batch.file_names) - 1
    segments = dict.fromkeys(
        segment for segment, *_ in batch.places.new_keys() if segment not in there
    )
    batch.insert(
        "corpus_stagedsegment",
        ("file", "line", "key", "source_style", "target_style", "attributes"),
        ((file, 0, key, "", "", "{}") for key in segments),
    )
    batch.memory["segments in the tables"] += len(segments)
    batch.insert(
        "corpus_stagedtext",
        ("file", "line", "segment_key", "system_name", "variant", "text", "sha256", "ordinal"),
        (
            (file, 0, segment, system, variant, "", NO_TEXT, ordinal)
            for segment, system, variant, ordinal in batch.places.new_keys()
        ),
    )


def unfilled(batch: Batch) -> Iterator[RowProblem]:
    """Find the outputs that would stay without text where this import brings texts of others."""
    if not batch.study.without_texts or batch.options.without_texts:
        return
    first = query(f"SELECT file, line {_TEXTS_OF_OUTPUTS} ORDER BY id LIMIT 1", _names(batch))
    file, line = next(first, (None, None))
    if file is None:
        return
    rows = batch.faulty(
        "texts-missing",
        """SELECT sg.key, sy.name, o.variant, COUNT(*) OVER ()
           FROM corpus_output o
           JOIN corpus_segment sg ON sg.id = o.segment_id
           JOIN corpus_system sy ON sy.id = o.system_id
           LEFT JOIN corpus_stagedtext st ON st.job_id = %(job)s AND st.segment_key = sg.key
                AND st.system_name = sy.name AND st.variant = o.variant
           WHERE o.study_id = %(study)s AND o.sha256 = '' AND st.id IS NULL
           ORDER BY o.ordinal""",
        _names(batch),
    )
    for segment, system, variant in rows:
        what = f"{segment}, {system}" + (f", variant {variant}" if variant > 1 else "")
        yield RowProblem(
            file=file,
            line=line,
            field="output",
            found=what,
            expected="a text of every output of this study",
            message=f"This study holds keys and no texts, and gets the texts of all its outputs or "
            f"of none: {what} has none here. Add it, or import the texts into another study.",
            code="texts-missing",
        )


def holds_keys_only(batch: Batch) -> bool:
    """Return whether the study has no texts of outputs once this import is published."""
    if batch.options.without_texts or not batch.study.without_texts:
        return batch.options.without_texts
    return not any(query(f"SELECT 1 {_TEXTS_OF_OUTPUTS} LIMIT 1", _names(batch)))


def count_to_fill(batch: Batch) -> int:
    """Return how many outputs of systems get their text by this import."""
    counting = f"SELECT COUNT(*) FROM ({_TO_FILL}) filled"  # noqa: S608
    return int(next(query(counting, _names(batch)))[0])


_TEXTS_OF_OUTPUTS = """
    FROM corpus_stagedtext
    WHERE job_id = %(job)s AND system_name NOT IN (%(source)s, %(reference)s)
"""
_TO_FILL = """
    SELECT o.id, st.text, st.sha256 FROM corpus_stagedtext st
    JOIN corpus_segment sg ON sg.study_id = %(study)s AND sg.key = st.segment_key
    JOIN corpus_system sy ON sy.study_id = %(study)s AND sy.name = st.system_name
    JOIN corpus_output o ON o.segment_id = sg.id AND o.system_id = sy.id
         AND o.variant = st.variant
    WHERE st.job_id = %(job)s AND o.sha256 = '' AND st.sha256 <> ''
"""
FILL_IN = f"""
    UPDATE corpus_output SET text = filled.text, sha256 = filled.sha256
    FROM ({_TO_FILL}) filled WHERE corpus_output.id = filled.id
"""  # noqa: S608


def _names(batch: Batch) -> dict[str, Any]:
    names = {"source": SOURCE_SYSTEM, "reference": REFERENCE_SYSTEM}
    return {"job": batch.job.pk, "study": batch.study.pk} | names
