"""A part of a cell, by a literal pattern: ``grammaticality={}`` takes 4 out of grammaticality=4."""

from __future__ import annotations

from corpus.tabular.conversion import UnconvertibleError

Patterns = tuple[str, ...]
HOLE = "{}"


def patterns_of(written: str | Patterns) -> Patterns:
    """Return the pattern or patterns of a mapping as a tuple."""
    return (written,) if isinstance(written, str) else written


def take_out(text: str, patterns: Patterns) -> str:
    """Return what stands in a text between the two ends of the first pattern that fits.

    The text before ``{}`` may stand anywhere in the cell, but once only; the part ends where the
    text after ``{}`` begins for the first time. Without a text before or after, the part begins
    or ends with the cell. Time is linear in the length of the cell.

    Raises
    ------
    UnconvertibleError
        If no pattern fits, or its beginning occurs twice.

    Examples
    --------
    >>> take_out("grammaticality=4;fluency=3", ("grammaticality={};", "grammaticality={}"))
    '4'
    >>> take_out("fluency=3;grammaticality=4", ("grammaticality={};", "grammaticality={}"))
    '4'
    """
    for pattern in patterns:
        before, _, after = pattern.partition(HOLE)
        start = text.find(before) + len(before) if before in text else -1
        if start < 0:
            continue
        if before and text.find(before, start - len(before) + 1) >= 0:
            raise UnconvertibleError(
                text,
                f"{before!r} once",
                "It occurs twice. Write more of the text before {} into the pattern (take).",
                "pattern",
            )
        end = text.find(after, start) if after else len(text)
        if end >= 0:
            return text[start:end]
    expected = " or ".join(map(repr, patterns))
    advice = "Correct the cell, or the pattern in the mapping (take)."
    raise UnconvertibleError(text or "nothing", f"a text like {expected}", advice, "pattern")
