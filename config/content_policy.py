"""What a page may load and who may keep it, said with every answer."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

PRIVATE = "private, no-store"


class ContentPolicyMiddleware:
    """Send the one policy of the site, unless a view has sent another.

    What somebody is shown who signed in, or came with a token, is kept by no cache and by no
    browser: on a shared machine the button Back shows nothing after signing out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the headers."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        if settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers:
            response.headers.setdefault("Cache-Control", PRIVATE)
        return response
