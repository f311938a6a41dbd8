"""Texts whose numbers keep their percent sign at the end of a line."""

import re

_BEFORE_PERCENT = re.compile(r"(?<=\d) (?=%)")


def unbroken(text: str) -> str:
    """Return a text with a no-break space between each number and its percent sign.

    Examples
    --------
    >>> unbroken("a 95 % interval")
    'a 95\\xa0% interval'
    """
    return _BEFORE_PERCENT.sub("\xa0", text)
