"""Long work as a row: kind, parameters, state, progress and heartbeat are the truth."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from corpus.models.study import Study

ACTIVE_STATES = ("queued", "running")


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


class Job(models.Model):
    """A piece of work that a worker claims, keeps alive by heartbeats and finishes."""

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
    parameters = models.JSONField(default=dict, blank=True)
    priority = models.PositiveSmallIntegerField(
        default=1, db_default=1, help_text="Smaller comes first."
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

    objects = JobQuerySet.as_manager()

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
