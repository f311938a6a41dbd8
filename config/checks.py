"""What `manage.py check` says about settings that do not go together."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning


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


def provider_is_safe(**_: Any) -> list[CheckMessage]:
    """Warn where what the provider sends back could be read on the way."""
    if not settings.OPEN_ID_PROVIDER or settings.HTTPS or settings.DEBUG:
        return []
    return [
        Warning(
            "OIDC_ISSUER is set and HTTPS is not: people come back from the provider by HTTP.",
            hint="Set HTTPS=1, and register the address of this site with https at the provider.",
            id="site.W002",
        )
    ]


def restore_has_ended(**_: Any) -> list[CheckMessage]:
    """Refuse to start on database and files of which some are those of a backup."""
    # Nothing that serves needs the code of backups.
    from config.backup.journal import REMEDY, unfinished_restore

    problem = unfinished_restore()
    return [Error(problem, hint=REMEDY, id="site.E001")] if problem else []
