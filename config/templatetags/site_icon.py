"""The icon of the site inside a page, for pages that ask for as few files as they can."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import quote

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
@cache
def icon_inside() -> str:
    """Return the icon as an address that holds it: `<link rel="icon" href="{% icon_inside %}">`."""
    drawn = (Path(settings.BASE_DIR) / "static" / "touchstone.svg").read_text(encoding="utf-8")
    on_a_line = re.sub(r"\s+", " ", drawn)
    return f"data:image/svg+xml,{quote(on_a_line, safe=' /:;=()')}"
