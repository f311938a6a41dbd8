"""Fields that tables share: what names a segment, a system and one of several texts."""

from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.tabular.fields import Field
from corpus.tabular.known_columns import SEVERAL, known_field

LARGEST_NUMBER = 32_767  # of a small integer column

SEGMENT = known_field(
    SEVERAL,
    Field("segment", "key", required=True, help="what names the segment in every other table"),
)
SYSTEM = known_field(SEVERAL, Field("system", "key", required=True))


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
