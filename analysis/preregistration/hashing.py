"""Content with its hash: light, so that a start of the site may import it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.utils.dateparse import parse_datetime


def canonical(content: Mapping[str, Any]) -> str:
    """Return content as text that is the same wherever its parts are."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def hash_of(canonical_text: str) -> str:
    """Hash content in canonical JSON."""
    return hashlib.sha256(canonical_text.encode()).hexdigest()


def is_sound(content_json: str, sha256: str) -> bool:
    """Whether content has its hash."""
    return hash_of(content_json) == sha256


def registered_at(content: Mapping[str, Any]) -> Any:
    """Return when content says that it was registered; None where it does not."""
    return parse_datetime(str(content.get("registered_at", "")))
