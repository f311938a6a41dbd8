"""Fields that tables share, and the names of columns in exported tables."""

from collections.abc import Collection, Sequence

from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.tabular.guesses.known_columns import SEVERAL, known_field
from corpus.tabular.shaping.fields import Field

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


def columns_apart_from(fields: Sequence[str], attributes: Collection[str]) -> dict[str, str]:
    """Return a column for each field that no attribute has.

    An attribute keeps its name, because an import takes it from the column; of a field the
    mapping in `study.json` says where it is.

    Examples
    --------
    >>> columns_apart_from(["segment", "source"], ["source", "domain"])
    {'segment': 'segment', 'source': 'source_'}
    """
    columns: dict[str, str] = {}
    for field in fields:
        column = field
        while column in attributes or column in columns.values():
            column += "_"
        columns[field] = column
    return columns
