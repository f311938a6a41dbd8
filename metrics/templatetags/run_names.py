"""How pages write the names of runs."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()
_BREAK = SafeString("/<wbr>")


@register.filter
def breakable(name: str) -> SafeString:
    """Let a long name go on in the next line after each slash; copied, it is the same name."""
    first, *rest = name.split("/")
    return format_html_join("", "{}{}", [("", first), *((_BREAK, part) for part in rest)])
