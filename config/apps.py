"""The site itself: commands that start it and sign people in, and its support tool."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.core.checks import register

from config.checks import provider_is_safe, proxy_is_set, restore_has_ended

if TYPE_CHECKING:
    from corpus.jobs.progress import Progress
    from corpus.models import Job
    from corpus.pruning import Leftover


class SiteConfig(AppConfig):
    """Holds the management commands of the whole site."""

    name = "config"
    label = "site"

    def ready(self) -> None:
        """Register the checks, what is logged and counted, and what administrators are shown."""
        from config.audit import signing_in
        from config.watching.counting import count_jobs, count_submissions
        from corpus.hourly import register_hourly
        from corpus.jobs.registry import register_job
        from corpus.pruning import register_leftovers

        register(proxy_is_set)
        register(provider_is_safe)
        register(restore_has_ended)
        count_jobs()
        count_submissions()
        signing_in.listen()
        register_leftovers(_old_defects)
        register_job("examine-site", _run_examine)
        register_hourly(_examine_when_due)


class SupportConfig(AdminConfig):
    """Django's admin, for superusers only."""

    default_site = "config.support.SupportSite"


def _run_examine(job: "Job", progress: "Progress") -> dict[str, Any]:
    from config.administration.examining import run_examine

    return run_examine(job, progress)


def _examine_when_due() -> None:
    from config.administration.examining import examine_when_due

    examine_when_due()


def _old_defects(now: datetime) -> "Iterator[Leftover]":
    from config.administration.defects import old_defects

    return old_defects(now)
