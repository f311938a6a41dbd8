"""Names and values of a mapping whose names users may choose."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def pairs(mapping: Mapping[str, Any] | None) -> list[tuple[str, Any]]:
    """Return names with values; `.items` of a template would be the value of a name `items`."""
    return list(mapping.items()) if mapping else []
