"""Celery, used when REDIS_URL is set: it carries job ids, the database row is the truth."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from celery import Celery
from django.conf import settings

app = Celery("touchstone", broker=settings.REDIS_URL or None)
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
    # Publishing must fail at once when Redis is away: the sweep sends the job again.
    broker_transport_options={
        "visibility_timeout": 3600,
        "socket_connect_timeout": 2,
        "max_retries": 0,
    },
    task_publish_retry=False,
)


@app.task(name="touchstone.run_job")  # type: ignore[untyped-decorator]
def run_job(job_id: int) -> None:
    """Run the job that is next in turn, exactly as the embedded worker does.

    The rows say which that is, the queue only that there is work: for each row an id was sent.
    """
    from corpus.jobs.worker import run_next

    run_next()


@app.task(name="touchstone.sweep_jobs")  # type: ignore[untyped-decorator]
def sweep_jobs() -> None:
    """Send again what is unfinished and silent."""
    from corpus.jobs.queue import send_silent_jobs

    send_silent_jobs()


@app.task(name="touchstone.delete_due")  # type: ignore[untyped-decorator]
def delete_due() -> None:
    """Delete what was to be deleted and whose days of grace are over."""
    from corpus.deletion import delete_due

    delete_due()


app.conf.beat_schedule = {
    "sweep": {"task": "touchstone.sweep_jobs", "schedule": 30.0},
    "deletion": {"task": "touchstone.delete_due", "schedule": 3600.0},
}


def send_job(job_id: int) -> None:
    """Put a job id on the queue."""
    run_job.delay(job_id)
