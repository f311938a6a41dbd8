"""Processes that take jobs, as long as they live."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

from corpus.models.job import Queue

ALIVE_FOR = timedelta(seconds=35)
"""A worker that has not signed for so long is counted as gone: three signs were missed."""


class WorkerQuerySet(models.QuerySet["Worker"]):
    """Reading vocabulary of workers."""

    def alive(self) -> "WorkerQuerySet":
        """Workers that signed lately."""
        return self.filter(seen_at__gt=timezone.now() - ALIVE_FOR)


class Worker(models.Model):
    """A process that waits for jobs and runs them; it signs its row every few seconds."""

    class Kind(models.TextChoices):
        EMBEDDED = "work", "manage.py work"
        CELERY = "celery", "Celery"

    name = models.CharField(max_length=100, unique=True, help_text="Machine and process.")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    queues = models.JSONField(help_text="Which jobs it takes.")
    processes = models.PositiveSmallIntegerField(default=1, help_text="Jobs at a time.")
    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)

    objects = WorkerQuerySet.as_manager()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

    @property
    def is_alive(self) -> bool:
        """Whether it signed lately."""
        return self.seen_at > timezone.now() - ALIVE_FOR


def queues_without(workers: "list[Worker]") -> list[str]:
    """Return the queues that none of these workers takes."""
    taken = {name for worker in workers for name in worker.queues}
    return [name for name in Queue.values if name not in taken]
