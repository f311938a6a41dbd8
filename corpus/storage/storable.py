"""Characters that no database keeps: NUL, and halves of surrogate pairs.

Pure Python: no Django. Requests, files and the repair of older rows ask here.
"""

import re
from collections.abc import Iterator
from typing import Any

NUL, HALF = "a NUL character", "half of a surrogate pair"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
Steps = tuple[str | int, ...]


def unstorable(text: str) -> str:
    """Return what no database keeps of a text, in words; empty if it keeps all.

    Examples
    --------
    >>> unstorable("naïve"), unstorable("a\\0"), unstorable("\\ud83d")
    ('', 'a NUL character', 'half of a surrogate pair')
    """
    if "\0" in text:
        return NUL
    if text.isascii():
        return ""
    try:
        text.encode()
    except UnicodeEncodeError:
        return HALF
    return ""


def strings(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, str]]:
    """Yield every string in a JSON value, keys too, with the way to it."""
    if isinstance(value, str):
        yield steps, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield (*steps, key), key
            yield from strings(inner, (*steps, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from strings(inner, (*steps, index))


def unstorable_part(value: Any) -> tuple[str, str]:
    """Return which string of a JSON value no database keeps, and why not; empty if it keeps all.

    Examples
    --------
    >>> unstorable_part({"why": ["a", "b\\0"]})
    ('why.1', 'a NUL character')
    """
    for steps, each in strings(value):
        if fault := unstorable(each):
            return ".".join(shown(str(step)) for step in steps), fault
    return "", ""


def unstorable_in(value: Any) -> str:
    """Return what no database keeps of a JSON value, in words; empty if it keeps all."""
    return unstorable_part(value)[1]


def unstorable_field(fields: Any, files: Any) -> tuple[str, str]:
    """Return which field of a form no database keeps, and why not; empty if it keeps all.

    Parameters
    ----------
    fields, files
        As Django reads them: each name may have several values. What is not printable it takes
        out of the names of files.
    """
    for name, values in (*fields.lists(), *((name, ()) for name in files)):
        if fault := unstorable("".join([name, *values])):
            return shown(name), fault
    return "", ""


def shown(text: str) -> str:
    """Return a text for a message, escaped where no page could show it."""
    return ascii(text)[1:-1] if unstorable(text) else text


def repaired(value: Any) -> Any:
    """Return a text or JSON value with U+FFFD in place of what no database keeps.

    Examples
    --------
    >>> repaired({"why": ["a\\0b", 1]})
    {'why': ['a\ufffdb', 1]}
    """
    if isinstance(value, str):
        return _UNSTORABLE.sub(REPLACEMENT, value)
    if isinstance(value, dict):
        return {repaired(key): repaired(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [repaired(each) for each in value]
    return value
