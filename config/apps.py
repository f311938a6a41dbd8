"""The site itself: commands that start it and sign people in, and its support tool."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class SiteConfig(AppConfig):
    """Holds the management commands of the whole site."""

    name = "config"
    label = "site"


class SupportConfig(AdminConfig):
    """Django's admin, for superusers only."""

    default_site = "config.support.SupportSite"
