"""How the OpenAPI schema is made from the views, and the errors that every operation may answer."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

_ERROR = {
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    "description": "",
}


class Schema(AutoSchema):
    """Takes from a view its `tag`, the `operation_ids` of methods, `parameters` of its address."""

    def get_tags(self) -> list[str]:
        """Return under what the documentation lists the view."""
        view: Any = self.view
        return [view.tag]

    def get_operation_id(self) -> str:
        """Return the name of an operation for programs."""
        view: Any = self.view
        return str(view.operation_ids[self.method])

    def get_override_parameters(self) -> Any:
        """Return what the view says of its address."""
        return getattr(self.view, "parameters", [])

    def get_paginated_name(self, serializer_name: str) -> str:
        """Name the shape of a page of rows."""
        return f"{serializer_name}Page"


def add_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the errors that follow from what an operation takes; views state the others.

    400 where there is a query or a body, 401 where somebody must be signed in, 404 where the
    address names something.
    """
    for path, item in result["paths"].items():
        for operation in item.values():
            places = {parameter["in"] for parameter in operation.get("parameters", ())}
            happens = {
                "400": OpenApiParameter.QUERY in places or "requestBody" in operation,
                "401": {} not in operation["security"],
                "404": "{" in path,
            }
            for code in (code for code, may in happens.items() if may):
                operation["responses"].setdefault(code, _ERROR)
    return result
