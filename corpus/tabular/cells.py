"""What spreadsheets call their cells."""

from __future__ import annotations


def cell_name(row: int, column: int) -> str:
    """Return what a spreadsheet calls a cell.

    Examples
    --------
    >>> cell_name(7, 2), cell_name(1, 28)
    ('B7', 'AB1')
    """
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row}"
