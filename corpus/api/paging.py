"""Long lists in pages that start after a key, so that the last page costs what the first does."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

Row = TypeVar("Row")
USUAL_LIMIT = 100
LARGEST_LIMIT = 1000
LARGEST_KEY = 2**63 - 1

_AFTER = "Where the page before ended; `next` has it."
LIMIT_PARAMETER = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": LARGEST_LIMIT, "default": USUAL_LIMIT},
    description="Rows of a page.",
)
PAGE_PARAMETERS = [
    OpenApiParameter(
        "after",
        {"type": "integer", "minimum": 0, "maximum": LARGEST_KEY},
        description=_AFTER,
    ),
    LIMIT_PARAMETER,
]
NAMED_PAGE_PARAMETERS = [
    OpenApiParameter("after", OpenApiTypes.STR, description=_AFTER),
    LIMIT_PARAMETER,
]


@cache
def page_of(row: type[serializers.BaseSerializer[Any]]) -> Any:
    """Describe a page of such rows for the schema."""
    return inline_serializer(
        f"{row.__name__.removesuffix('Serializer')}Page",
        {"next": serializers.URLField(allow_null=True), "results": row(many=True)},
    )


def read_limit(request: Request) -> int:
    """Return how many rows are asked for; `ValidationError` if it makes no sense."""
    text = request.query_params.get("limit", str(USUAL_LIMIT))
    is_number = text.isascii() and text.isdecimal() and len(text) < 9
    if not (is_number and 1 <= int(text) <= LARGEST_LIMIT):
        raise ValidationError({"limit": f"{text!r}: expected a number from 1 to {LARGEST_LIMIT}"})
    return int(text)


def read_after(request: Request) -> int | None:
    """Return the number after which a page starts; `ValidationError` if it is none."""
    text = request.query_params.get("after")
    if text is None:
        return None
    is_number = text.isascii() and text.isdecimal() and len(text) < 20
    if not (is_number and int(text) <= LARGEST_KEY):
        raise ValidationError({"after": f"{text!r}: expected what `next` says"})
    return int(text)


def read_text(request: Request, name: str) -> str | None:
    """Return a parameter that is a name; `ValidationError` if no name can be so."""
    text = request.query_params.get(name)
    if text is not None and "\0" in text:
        raise ValidationError({name: "expected text without NUL"})
    return text


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows, and the key of the last one if there are more."""

    rows: list[Row]
    next_after: Any = None


def page_after(
    rows: "QuerySet[Any, Row]", key: str, after: int | str | None, limit: int
) -> Page[Row]:
    """Read the rows whose `key` comes after a value, by one query.

    Parameters
    ----------
    rows
        Rows as objects or, by `values`, as dictionaries.
    key
        A field by which no two rows are the same.
    """
    if after is not None:
        rows = rows.filter(**{f"{key}__gt": after})
    found = list(rows.order_by(key)[: limit + 1])
    if len(found) <= limit:
        return Page(found)
    last: Any = found[limit - 1]
    return Page(found[:limit], last[key] if isinstance(last, dict) else getattr(last, key))


def page_response(request: Request, page: Page[Any], results: list[Any] | None = None) -> Response:
    """Answer with a page; its `next` is an address or null."""
    following = None
    if page.next_after is not None:
        address = request.build_absolute_uri()
        following = replace_query_param(address, "after", str(page.next_after))
    return Response({"next": following, "results": page.rows if results is None else results})
