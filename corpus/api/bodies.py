"""Bodies of requests to the API: nested a few levels deep, and of characters that can be stored."""

from collections.abc import Mapping
from typing import IO, Any

from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import (
    BaseParser,
    DataAndFiles,
    FormParser,
    JSONParser,
    MultiPartParser,
)

from corpus.storage.storable import unstorable_field, unstorable_part
from corpus.tabular.plain import DeepJSON, check_levels


class StorableParser(BaseParser):
    """The framework's parser of the next class, which refuses what no database keeps."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the content of a body; `ValidationError` if it has characters that are none."""
        content: Any = super().parse(stream, media_type, parser_context)
        if isinstance(content, DataAndFiles):
            place, fault = unstorable_field(content.data, content.files)
        elif isinstance(content, QueryDict):
            place, fault = unstorable_field(content, MultiValueDict())
        else:
            place, fault = unstorable_part(content)
        if fault:
            words = f"{fault[0].upper()}{fault[1:]} cannot be stored. Remove it."
            raise ValidationError({place: [words]})
        return content


class BoundedJSONParser(StorableParser, JSONParser):
    """JSON with brackets nested a few levels deep only."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the content of a body; `ParseError` if it is no JSON, or nested too deep."""
        try:
            content = super().parse(stream, media_type, parser_context)
            check_levels(content)
        except (RecursionError, DeepJSON):
            raise ParseError(f"The request cannot be read: {DeepJSON()}.") from None
        return content


class StorableFormParser(StorableParser, FormParser):
    """Fields of a form."""


class StorableMultiPartParser(StorableParser, MultiPartParser):
    """Fields and files of a form."""
