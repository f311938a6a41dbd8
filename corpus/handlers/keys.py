"""Fields that tables share: what names a segment, a system and one of several texts."""

from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.tabular.fields import Field

LARGEST_NUMBER = 32_767  # of a small integer column

SEGMENT = Field(
    "segment",
    "key",
    required=True,
    synonyms=("segment_id", "seg_id", "segid", "id", "key", "sent_id", "sentence_id"),
    digest_of=("source", "source_text", "source_sentence"),
    help="what names the segment in every other table",
)
SYSTEM = Field(
    "system",
    "key",
    required=True,
    synonyms=("system_id", "sys", "model", "system_name", "model_name"),
)


def counted(batch: Batch, file: int, line: int, field: str, number: int | None) -> int:
    """Return a number that counts from 1, which it is where none is given; 0 if it cannot be.

    What cannot be becomes a problem of the import.
    """
    if number is None:
        return 1
    if 1 <= number <= LARGEST_NUMBER:
        return number
    message = f"Number the {field}s 1, 2, …, or leave the cell empty."
    expected = f"a whole number from 1 to {LARGEST_NUMBER}"
    batch.problem(RowProblem(file, line, field, str(number), expected, message, "range"))
    return 0
