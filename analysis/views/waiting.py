"""What a page shows of the job that it waits for."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from corpus.access import may_steer
from corpus.models import Job


def waiting_context(request: HttpRequest, job: Job) -> dict[str, Any]:
    """Return the job, and how it is cancelled by those who may."""
    steers = may_steer(request.user, job)
    return {
        "job": job,
        "cancel_url": reverse("job-cancel", args=[job.pk]) if steers else "",
        "steers": steers,
    }
