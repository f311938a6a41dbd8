"""Where the API begins."""

from typing import Any, NoReturn

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

ENTRY_POINTS = {
    "studies": "api-studies",
    "collections": "api-collections",
    "metrics": "api-metrics",
    "writers": "api-writers",
    "documentation": "api-docs",
    "schema": "api-schema",
}


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
