"""JSON of others, of which a few thousand brackets must not stop anything."""

from __future__ import annotations

import json
from typing import Any

from corpus.storage.storable import unstorable_in

MOST_LEVELS = 32


class DeepJSON(ValueError):
    """JSON whose brackets are nested deeper than anything here needs."""

    def __init__(self) -> None:
        super().__init__(f"brackets nested more than {MOST_LEVELS} deep")


def bounded_json(text: str | bytes) -> Any:
    """Return what a JSON text holds; `ValueError` if it is none, too deep, or not storable."""
    try:
        content = json.loads(text)
    except RecursionError:
        raise DeepJSON from None
    check_levels(content)
    if fault := unstorable_in(content):
        raise ValueError(f"it has {fault}, which cannot be stored")
    return content


def check_levels(content: Any) -> None:
    """Raise `DeepJSON` if a value is nested too deep; what comes next may be recursive."""
    level = [content]
    for _ in range(MOST_LEVELS + 1):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise DeepJSON
