"""JSON in requests, of which a few thousand brackets must not stop anything."""

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

MOST_LEVELS = 32


class DeepJSON(ValueError):
    """JSON whose brackets are nested deeper than anything here needs."""

    def __init__(self) -> None:
        super().__init__(f"brackets nested more than {MOST_LEVELS} deep")


class BoundedJSONParser(JSONParser):
    """The framework's parser, which takes brackets nested a few levels deep only."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the content of a body; `ParseError` if it is no JSON, or nested too deep."""
        try:
            content: dict[str, Any] = super().parse(stream, media_type, parser_context)
            check_levels(content)
        except (RecursionError, DeepJSON):
            raise ParseError(f"The request cannot be read: {DeepJSON()}.") from None
        return content


def bounded_json(text: str | bytes) -> Any:
    """Return what a JSON text holds; `ValueError` if it is none, or nested too deep."""
    try:
        content = json.loads(text)
    except RecursionError:
        raise DeepJSON from None
    check_levels(content)
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
