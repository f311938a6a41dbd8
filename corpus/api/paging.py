"""Long lists in pages that start after a key, so that the last page costs what the first does."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

USUAL_LIMIT = 100
LARGEST_LIMIT = 1000
LARGEST_KEY = 2**63 - 1


class KeyPagination(BasePagination):
    """Pages of rows in the order of a key that no two of them share."""

    key = "pk"
    after: ClassVar[dict[str, Any]] = {"type": "integer", "minimum": 0, "maximum": LARGEST_KEY}
    """What `after` may be, for the schema."""
    next: str | None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """Return the rows of the page that is asked for; `ValidationError` if it makes no sense."""
        limit = _read_limit(request)
        found = self.rows_after(queryset, self.read_after(request), limit + 1)
        self.next = None
        if len(found) > limit:
            last = str(self.key_of(found[limit - 1]))
            self.next = replace_query_param(request.build_absolute_uri(), "after", last)
        return found[:limit]

    def read_after(self, request: Request) -> Any:
        """Return the key after which a page starts, None at the beginning."""
        text = request.query_params.get("after")
        if text is None:
            return None
        is_number = text.isascii() and text.isdecimal() and len(text) < 20
        if not (is_number and int(text) <= LARGEST_KEY):
            raise ValidationError({"after": f"{text!r}: expected what `next` says"})
        return int(text)

    def rows_after(self, queryset: Any, after: Any, count: int) -> Sequence[Any]:
        """Read up to `count` rows that come after a key, by one query."""
        if after is not None:
            comes_later = "lt" if self.key.startswith("-") else "gt"
            queryset = queryset.filter(**{f"{self.key.lstrip('-')}__{comes_later}": after})
        return list(queryset.order_by(self.key)[:count])

    def key_of(self, row: Any) -> Any:
        """Return the key of a row."""
        return getattr(row, self.key.lstrip("-"))

    def get_paginated_response(self, data: Any) -> Response:
        """Answer with a page; its `next` is an address or null."""
        return Response({"next": self.next, "results": data})

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        """Describe a page."""
        following = {"type": "string", "format": "uri", "nullable": True}
        return {
            "type": "object",
            "properties": {"next": following, "results": schema},
            "required": ["next", "results"],
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the parameters that choose a page."""
        limit = {"type": "integer", "minimum": 1, "maximum": LARGEST_LIMIT, "default": USUAL_LIMIT}
        where = "Where the page before ended; `next` has it."
        return [
            {"in": "query", "name": "after", "schema": self.after, "description": where},
            {"in": "query", "name": "limit", "schema": limit, "description": "Rows of a page."},
        ]


class ByOrdinal(KeyPagination):
    """Pages in the order of a study."""

    key = "ordinal"


class LatestFirst(KeyPagination):
    """Pages that go on to earlier rows."""

    key = "-pk"


class BySlug(KeyPagination):
    """Pages in the order of slugs."""

    key = "slug"
    after: ClassVar = {"type": "string"}

    def read_after(self, request: Request) -> str | None:
        """Return the slug after which a page starts."""
        return read_text(request, "after")


def _read_limit(request: Request) -> int:
    text = request.query_params.get("limit", str(USUAL_LIMIT))
    is_number = text.isascii() and text.isdecimal() and len(text) < 9
    if not (is_number and 1 <= int(text) <= LARGEST_LIMIT):
        raise ValidationError({"limit": f"{text!r}: expected a number from 1 to {LARGEST_LIMIT}"})
    return int(text)


def read_text(request: Request, name: str) -> str | None:
    """Return a parameter that is a name; `ValidationError` if no name can be so."""
    text = request.query_params.get(name)
    if text is not None and "\0" in text:
        raise ValidationError({name: "expected text without NUL"})
    return text


class MadeRowSerializer(serializers.Serializer[Any]):
    """Describes a row of plain values, and gives it as it is."""

    def to_representation(self, instance: Any) -> Any:
        """Return the row."""
        return instance
