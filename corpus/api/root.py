"""Where the API begins, and its schema as a page to read."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from typing import Any, NoReturn

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from corpus.api.paging import LARGEST_KEY
from corpus.api.rendering import with_code

ENTRY_POINTS = {
    "studies": "api-studies",
    "collections": "api-collections",
    "metrics": "api-metrics",
    "writers": "api-writers",
    "documentation": "api-docs",
    "schema": "api-schema",
}
METHODS = ("get", "post", "put", "patch", "delete")


class RootView(APIView):
    """API of Touchstone."""

    permission_classes = (AllowAny,)

    def get_view_name(self) -> str:
        """Name the page of this answer."""
        return "API of Touchstone"

    @extend_schema(
        operation_id="entry_points",
        tags=["entry points"],
        responses={200: {"type": "object", "additionalProperties": {"type": "string"}}},
        description="List where the API begins.",
    )
    def get(self, request: Request) -> Response:
        """List where the API begins; each study leads to all that it holds."""
        return Response(
            {name: reverse(view, request=request) for name, view in ENTRY_POINTS.items()}
        )


@extend_schema(exclude=True)
class UnknownAddressView(APIView):
    """Nothing."""

    permission_classes = (AllowAny,)

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> NoReturn:
        """Answer every method in the shape of the API, not with the site's page."""
        raise NotFound(f"there is nothing at {request.path}; {reverse('api-root')} says what is")


@dataclass(frozen=True)
class Field:
    """A parameter of an address, or a field of a body."""

    name: str
    kind: str
    place: str
    required: bool
    description: str


@dataclass(frozen=True)
class Operation:
    """One method of one address."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    fields: list[Field]
    answers: list[tuple[str, str, str]]
    """Status, its phrase, and the name of the shape or what the answer is."""


@dataclass(frozen=True)
class Documentation:
    """The whole API: operations by tag, and the shapes of what they take and give."""

    operations: dict[str, list[Operation]] = field(default_factory=dict)
    shapes: dict[str, list[Field]] = field(default_factory=dict)


@require_safe
def documentation_page(request: HttpRequest) -> HttpResponse:
    """Show every operation of the API."""
    return render(request, "api/documentation.html", {"documentation": documentation()})


@cache
def documentation() -> Documentation:
    """Read the schema, which is the same for everybody."""
    generator: Any = SchemaGenerator
    schema = generator().get_schema(request=None, public=True)
    result = Documentation()
    for path, item in schema["paths"].items():
        for method in METHODS:
            if method in item:
                operation = _operation(path, method, item[method])
                result.operations.setdefault(item[method]["tags"][0], []).append(operation)
    for name, shape in sorted(schema["components"]["schemas"].items()):
        result.shapes[name] = list(_properties(shape, ""))
    return result


def _operation(path: str, method: str, item: dict[str, Any]) -> Operation:
    summary, _, description = item.get("description", "").partition("\n\n")
    return Operation(
        anchor=item["operationId"],
        method=method.upper(),
        path=path,
        summary=with_code(" ".join(summary.split())),
        description=with_code(" ".join(description.split())),
        fields=[*_parameters(item), *_body(item)],
        answers=[_answer(code, answer) for code, answer in sorted(item["responses"].items())],
    )


def _parameters(item: dict[str, Any]) -> Iterator[Field]:
    for parameter in item.get("parameters", []):
        yield Field(
            parameter["name"],
            _kind(parameter["schema"]),
            {"path": "address", "query": "query"}[parameter["in"]],
            parameter.get("required", False),
            with_code(parameter.get("description", "")),
        )


def _body(item: dict[str, Any]) -> Iterator[Field]:
    content = item.get("requestBody", {}).get("content", {})
    for media_type, body in list(content.items())[:1]:
        yield Field("(body)", _kind(body["schema"]), media_type, True, "")


def _answer(code: str, answer: dict[str, Any]) -> tuple[str, str, str]:
    content: dict[str, Any] = next(iter(answer.get("content", {}).values()), {})
    shape = _reference(content.get("schema", {}))
    return code, HTTPStatus(int(code)).phrase, shape or answer.get("description", "")


def _properties(shape: dict[str, Any], place: str) -> Iterator[Field]:
    for name, inner in shape.get("properties", {}).items():
        required = name in shape.get("required", [])
        yield Field(name, _kind(inner), place, required, with_code(inner.get("description", "")))


def _reference(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _kind(schema: dict[str, Any]) -> str:
    """Say in words what a value may be."""
    if name := _reference(schema):
        return name
    if "allOf" in schema:
        return _kind(schema["allOf"][0])
    if "oneOf" in schema:
        return " or ".join(_kind(each) for each in schema["oneOf"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    kind = str(schema.get("format") or schema.get("type") or "any")
    if "minimum" in schema and schema.get("maximum", LARGEST_KEY) < LARGEST_KEY:
        kind += f" from {schema['minimum']} to {schema['maximum']}"
    if "default" in schema:
        kind += f", {schema['default']} if not given"
    return f"{kind} or null" if schema.get("nullable") else kind
