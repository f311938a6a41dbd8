"""The answers of the API as pages for people, in the site's own look and without scripts."""

import inspect
import re
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BrowsableAPIRenderer, JSONRenderer
from rest_framework.request import Request


class PageRenderer(BrowsableAPIRenderer):
    """Shows what a program would get, with addresses of this site as links.

    The framework's own page needs inline scripts and styles, which the site's policy forbids.
    """

    template = "api/response.html"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> Any:
        """Return the page."""
        view, request = renderer_context["view"], renderer_context["request"]
        response = renderer_context["response"]
        content = JSONRenderer().render(data, "application/json; indent=2").decode()
        page = {
            "heading": view.get_view_name(),
            "description": with_code(_description(view, request.method.lower())),
            "status": f"{response.status_code} {response.status_text}",
            "failed": response.status_code >= 400,
            "methods": view.allowed_methods,
            "json_address": _as_json(request),
            "content": linked(content, request.build_absolute_uri("/")),
        }
        return render_to_string(self.template, page, request=request._request)


class AnyAccept(BaseContentNegotiation):
    """For answers that have one form only, such as a zip: errors are JSON whatever is accepted."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Return the first parser."""
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        """Return the first renderer."""
        return renderers[0], renderers[0].media_type


def _description(view: Any, method: str) -> str | None:
    return inspect.getdoc(getattr(view, method, None)) or inspect.getdoc(view)


def with_code(text: str | None) -> SafeString:
    """Return text as HTML, what stands between backticks as code.

    Examples
    --------
    >>> with_code("a < b: `next`")
    'a &lt; b: <code>next</code>'
    """
    return mark_safe(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text or ""))))  # noqa: S308


def linked(content: str, site: str) -> SafeString:
    """Return JSON as HTML, the addresses that begin with `site` as links.

    Examples
    --------
    >>> linked('{"url": "http://here/a?b=1"}', "http://here/")
    '{&quot;url&quot;: &quot;<a href="http://here/a?b=1">http://here/a?b=1</a>&quot;}'
    """
    address = re.compile(rf"(?<=&quot;){re.escape(str(escape(site)))}[^\s&]*(?:&amp;[^\s&]*)*")
    html = address.sub(lambda match: f'<a href="{match[0]}">{match[0]}</a>', str(escape(content)))
    return mark_safe(html)  # noqa: S308  (escaped above)


def _as_json(request: Request) -> str:
    """Return the address of the same answer as JSON."""
    query = request._request.GET.copy()
    query["format"] = "json"
    return f"{request.path}?{query.urlencode()}"
