"""CSV for people: texts that a spreadsheet must not run as formulas."""

import csv
import io
from collections.abc import Iterable

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""The last four are the full-width forms of the first four."""


def spreadsheet_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV for people; every such file of the site is written by this function."""
    out = io.StringIO()
    # With this line end, which RFC 4180 asks for, the writer quotes every \r and \n in a text.
    # Unquoted, what follows one would begin a row, and could be a formula.
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows(map(spreadsheet_safe, row) for row in rows)
    return out.getvalue()


def spreadsheet_safe(value: object) -> object:
    """Put an apostrophe before a text that a spreadsheet would take for a formula.

    Follows the advice of OWASP on CSV injection. Numbers and all other texts come back as they
    are. For CSV that people open; never for the bundle, which keeps texts exactly.

    Examples
    --------
    >>> spreadsheet_safe("=1+1"), spreadsheet_safe("plain"), spreadsheet_safe(-1.5)
    ("'=1+1", 'plain', -1.5)
    """
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value
