"""JSON in requests, of which a few thousand brackets must not stop anything."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from corpus.tabular.json_levels import DeepJSON, check_levels


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
