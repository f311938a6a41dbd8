"""Jobs, and the processes that take them."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from corpus.models.study import Study

ACTIVE_STATES = ("queued", "running")
ALIVE_FOR = timedelta(seconds=35)
"""A worker that has not signed for so long is counted as gone: three signs were missed."""


class Queue(models.TextChoices):
    """Kinds of workers that a job may need; a worker takes one, some or all (WORKER_QUEUES)."""

    DEFAULT = "default"
    GPU = "gpu"
    HEAVY = "heavy"


class JobQuerySet(models.QuerySet["Job"]):
    """Reading vocabulary of jobs."""

    def active(self) -> "JobQuerySet":
        """Jobs that are waiting or being worked on."""
        return self.filter(state__in=ACTIVE_STATES)

    def claimable(self) -> "JobQuerySet":
        """Jobs that wait, and running ones whose worker fell silent."""
        return self.filter(
            models.Q(state="queued") | models.Q(state="running", lease_until__lt=timezone.now())
        ).order_by("id")

    def taken_here(self) -> "JobQuerySet":
        """Jobs of the queues that workers of this process take."""
        return self.filter(queue__in=settings.WORKER_QUEUES) if settings.WORKER_QUEUES else self


_Jobs = models.Manager.from_queryset(JobQuerySet)


class WholeJobs(_Jobs["Job"]):
    """Jobs that somebody asked for, without the parts into which they are divided."""

    def get_queryset(self) -> JobQuerySet:
        """Leave out parts of jobs."""
        return JobQuerySet(self.model, using=self._db).filter(parent=None)


class Job(models.Model):
    """A piece of work that a worker claims, keeps alive by heartbeats and finishes.

    One that is large may be divided into parts, which any number of workers claim (see
    `corpus.jobs.parts`). They are rows of this table too, and of no interest to anybody else:
    `objects` has the jobs that were asked for, `every` their parts besides.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    kind = models.CharField(max_length=50)
    key = models.CharField(max_length=200, help_text="What must not be worked on twice at a time.")
    study = models.ForeignKey(Study, models.CASCADE, null=True, related_name="jobs")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="jobs"
    )
    parent = models.ForeignKey(
        "self",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="The job of which this is a part.",
    )
    parameters = models.JSONField(default=dict, blank=True)
    priority = models.PositiveSmallIntegerField(
        default=1, db_default=1, help_text="Smaller comes first."
    )
    queue = models.CharField(
        max_length=20, choices=Queue.choices, default=Queue.DEFAULT, db_default=Queue.DEFAULT
    )
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    cancel_requested = models.BooleanField(default=False)
    worker = models.CharField(max_length=100, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    progress = models.JSONField(default=dict, blank=True)
    result = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = WholeJobs()
    every = JobQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=("key",),
                condition=models.Q(state__in=ACTIVE_STATES),
                name="job_key_once_while_active",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["queued", "running", "done", "failed", "cancelled"]),
                name="job_known_state",
            ),
            models.CheckConstraint(
                condition=models.Q(queue__in=Queue.values), name="job_known_queue"
            ),
        ]
        indexes = [
            models.Index(
                fields=("state", "lease_until"),
                condition=models.Q(state__in=ACTIVE_STATES),
                name="job_active",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} ({self.state})"

    @property
    def is_active(self) -> bool:
        """Whether the job still waits or runs."""
        return self.state in ACTIVE_STATES


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
