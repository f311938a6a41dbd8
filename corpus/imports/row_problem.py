"""What is wrong with one row, before its place in the file is looked up."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

EARLIER = "{earlier}"
"""Where a message names the place of an earlier row."""


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Something wrong with a staged row, found by comparing it with others."""

    file: int
    line: int
    field: str
    found: str
    expected: str
    message: str
    code: str
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Values of fields that may be spread over columns, so that the right cell is shown."""
    earlier: tuple[int, int] | None = None
    """File and number of the row that the message names."""
