"""Celery, used when REDIS_URL is set: it carries job ids, the database row is the truth."""

import os
from contextlib import ExitStack
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from celery import Celery
from celery.signals import worker_ready, worker_shutdown
from django.conf import settings
from kombu.exceptions import ChannelError

JOBS, SWEEPS = "jobs.", "sweeps"
"""What names of queues with ids of jobs begin with, and the queue of what is done now and then."""
SECONDS_BETWEEN_SWEEPS = 3.0

app = Celery("touchstone", broker=settings.REDIS_URL or None)
app.conf.update(
    task_ignore_result=True,
    task_queues={SWEEPS: {}}
    | {JOBS + name: {} for name in settings.WORKER_QUEUES or settings.QUEUES},
    task_default_queue=SWEEPS,
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
    # Celery's own handlers would write no JSON.
    worker_hijack_root_logger=settings.LOG_FORMAT != "json",
)


_presence = ExitStack()


@worker_ready.connect  # type: ignore[untyped-decorator]
def _sign_on(sender: Any, **_: Any) -> None:
    """Show that this worker lives, in the table that the embedded worker signs too."""
    from corpus.jobs.presence import Presence
    from corpus.models import Worker

    processes = getattr(sender.controller, "concurrency", 1)
    _presence.enter_context(Presence(Worker.Kind.CELERY, processes))


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def _sign_off(**_: Any) -> None:
    _presence.close()


@app.task(name="touchstone.run_job")  # type: ignore[untyped-decorator]
def run_job(job_id: int) -> None:
    """Run the job that is next in turn, exactly as the embedded worker does.

    The rows say which that is, the queue only that there is work: for each row an id was sent.
    """
    from corpus.jobs.worker import run_next

    run_next()


@app.task(name="touchstone.sweep_jobs")  # type: ignore[untyped-decorator]
def sweep_jobs() -> None:
    """Send again what a broker lost, and what is unfinished and silent."""
    from corpus.jobs.queue import send_waiting_jobs

    for name in settings.QUEUES:
        send_waiting_jobs(_ids_in_queue(JOBS + name), name)


@app.task(name="touchstone.delete_due")  # type: ignore[untyped-decorator]
def delete_due() -> None:
    """Delete what is due and what is left over, and do what else is done each hour."""
    from corpus.storage.pruning import do_hourly

    do_hourly()


def _ids_in_queue(name: str) -> int:
    with app.connection_for_read() as connection:
        try:
            found = connection.default_channel.queue_declare(name, passive=True)
        except ChannelError:
            # Nothing was ever sent, or Redis forgot it.
            return 0
    return int(found.message_count)


@app.task(name="touchstone.back_up")  # type: ignore[untyped-decorator]
def back_up() -> None:
    """Back the site up if the latest backup is old enough; one worker does it at a time."""
    from django.core.management import call_command

    call_command("backup", if_due=True)


app.conf.beat_schedule = {
    "sweep": {
        "task": "touchstone.sweep_jobs",
        "schedule": SECONDS_BETWEEN_SWEEPS,
        # Not among the ids, which are counted; those of busy hours are thrown away.
        "options": {"expires": SECONDS_BETWEEN_SWEEPS},
    },
    "deletion": {"task": "touchstone.delete_due", "schedule": 3600.0},
    "backup": {"task": "touchstone.back_up", "schedule": 3600.0},
}


def send_job(job_id: int) -> None:
    """Put a job id on the queue."""
    from corpus.models import Job

    queue = Job.every.values_list("queue", flat=True).get(pk=job_id)
    run_job.apply_async([job_id], queue=JOBS + queue)
