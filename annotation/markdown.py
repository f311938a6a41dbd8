"""Markdown of owners into HTML that is safe to show."""

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

# This preset leaves HTML in the text as text and refuses addresses that run scripts.
_RENDERER = MarkdownIt("js-default", {"linkify": False})


def markdown(text: str) -> SafeString:
    """Return a text as HTML."""
    return mark_safe(str(_RENDERER.render(text)))  # noqa: S308  (the renderer escapes)
