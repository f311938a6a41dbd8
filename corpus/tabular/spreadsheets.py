"""CSV for people: texts that a spreadsheet must not run as formulas."""

from __future__ import annotations

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


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
