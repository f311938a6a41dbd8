"""The site itself: commands that start it and sign people in, and its support tool."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.core.checks import register

from config.checks import provider_is_safe, proxy_is_set, restore_has_ended


class SiteConfig(AppConfig):
    """Holds the management commands of the whole site."""

    name = "config"
    label = "site"

    def ready(self) -> None:
        """Register the checks, what is logged and counted, and what administrators are shown."""
        from config.accounts import events
        from config.watching.asked import count_jobs, count_submissions
        from corpus.jobs.registry import register_job
        from corpus.later_functions import Later
        from corpus.storage.pruning import register_hourly, register_leftovers

        register(proxy_is_set)
        register(provider_is_safe)
        register(restore_has_ended)
        count_jobs()
        count_submissions()
        events.listen()
        register_leftovers(Later("config.administration.defects", "old_defects"))
        register_leftovers(Later("config.accounts.counted", "expired_values"))
        register_job("examine-site", Later("config.administration.overview", "run_examine"))
        register_hourly(Later("config.administration.overview", "examine_when_due"))


class SupportConfig(AdminConfig):
    """Django's admin, for superusers only."""

    default_site = "config.support.SupportSite"
