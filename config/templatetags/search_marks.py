"""Words that were searched for, marked in what was found."""

from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    from config.search.query import Query

register = template.Library()


@register.filter
def marked(text: str, query: "Query") -> SafeString:
    """Return a text with each word of a query in a `mark`: `{{ hit.title|marked:query }}`."""
    pieces = query.pieces(text)
    marked_pieces = (
        format_html("<mark>{}</mark>", piece) if found else piece for piece, found in pieces
    )
    return format_html_join("", "{}", ((piece,) for piece in marked_pieces))


@register.filter
def excerpted(text: str, query: "Query") -> str:
    """Return the part of a long text that has the words: `{{ hit.detail|excerpted:query }}`."""
    return query.excerpt(text)
