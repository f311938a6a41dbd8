"""One key of several cells, so that two different rows of cells never give one key."""

from __future__ import annotations

from collections.abc import Iterable

BETWEEN = ":"
_ESCAPED = str.maketrans({"\\": "\\\\", BETWEEN: f"\\{BETWEEN}"})


def joined(parts: Iterable[str]) -> str:
    r"""Return texts joined by colons; a colon or backslash in a text gets a backslash before it.

    Without that, ``a:b`` and ``c`` would become the same key as ``a`` and ``b:c``.

    Examples
    --------
    >>> print(joined(["doc1", "7"]), joined(["a:b", "c"]), joined(["a", "b:c"]))
    doc1:7 a\:b:c a:b\:c
    """
    return BETWEEN.join([part.translate(_ESCAPED) for part in parts])
