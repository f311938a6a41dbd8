"""What a result says, as JSON to be copied."""

import json
from typing import Any

from django import template

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """Return a value as indented JSON: `{{ mappings|as_json }}`."""
    return json.dumps(value, indent=2, ensure_ascii=False)
