"""Words of questions: names and counts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_ODD_SPACE = re.compile(r"^\s|\s$|[^\S ]|\s{2,}")
_SPACE = re.compile(r"\s")


def shown(name: str) -> str:
    """Quote a name so that odd white space can be seen.

    Examples
    --------
    >>> shown("Alpha "), shown("GPT 4")
    ('“Alpha␣”', '“GPT 4”')
    """
    return f"“{_SPACE.sub('␣', name) if _ODD_SPACE.search(name) else name}”"


def records(found: Iterable[tuple[Any, ...]], noun: str = "record") -> list[str]:
    """Return lines of names with their counts.

    Examples
    --------
    >>> records([("Alpha", 1), ("Beta", 2000)])
    ['“Alpha”: 1 record', '“Beta”: 2,000 records']
    """
    return [f"{shown(str(name))}: {plural(count, noun)}" for name, count, *_ in found]


def plural(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
