"""The site itself: commands that start it and sign people in, and its support tool."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.core.checks import register

from config.checks import proxy_is_set


class SiteConfig(AppConfig):
    """Holds the management commands of the whole site."""

    name = "config"
    label = "site"

    def ready(self) -> None:
        """Register the checks."""
        register(proxy_is_set)


class SupportConfig(AdminConfig):
    """Django's admin, for superusers only."""

    default_site = "config.support.SupportSite"
