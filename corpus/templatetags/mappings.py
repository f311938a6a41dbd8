"""Mappings in templates, without a `load`."""

import json
from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """Return a value as indented JSON: `{{ mappings|as_json }}`."""
    return json.dumps(value, indent=2, ensure_ascii=False)


@register.filter
def pairs(mapping: Mapping[str, Any] | None) -> list[tuple[str, Any]]:
    """Return names with values; `.items` of a template would be the value of a name `items`."""
    return list(mapping.items()) if mapping else []
