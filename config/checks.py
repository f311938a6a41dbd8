"""What `manage.py check` says about settings that do not go together."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning


def proxy_is_set(**_: Any) -> list[CheckMessage]:
    """Warn where HTTPS must end at a proxy that the settings do not name."""
    if not settings.HTTPS or settings.BEHIND_PROXY:
        return []
    return [
        Warning(
            "HTTPS is set and BEHIND_PROXY is not: this server speaks no HTTPS itself, so a proxy "
            "must stand in front of it, and everybody behind that proxy counts as one address.",
            hint="Set BEHIND_PROXY=1, and let the proxy set X-Forwarded-Proto and X-Forwarded-For "
            "(docs/deployment.md).",
            id="site.W001",
        )
    ]
