"""The site itself: commands that start it and sign people in."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """Holds the management commands of the whole site."""

    name = "config"
    label = "site"
