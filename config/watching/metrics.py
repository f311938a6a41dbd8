"""Figures for Prometheus, counted by each process in files of one folder.

Only imported where `METRICS_TOKEN` is set; the library reads the folder's name when it is imported.
"""

import os
from collections.abc import Iterator

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest, HttpResponse

from config.health.serving import queue_figures
from corpus.models import Job, Worker
from corpus.models.job import Queue

os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.METRICS_DIR)

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
JOB_SECONDS = (0.1, 1, 5, 15, 60, 300, 900, 3600, 14400)

settings.METRICS_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
_own = CollectorRegistry()
_requests = Counter(
    "touchstone_requests", "Requests answered", ("route", "method", "status"), registry=_own
)
_latency = Histogram(
    "touchstone_request_seconds", "Time to an answer", ("route",), registry=_own, buckets=SECONDS
)
_submissions = Counter(
    "touchstone_submissions", "Submissions stored from rating pages", registry=_own
)
_database_errors = Counter(
    "touchstone_database_errors", "Errors of the database in requests", ("error",), registry=_own
)
_job_seconds = Histogram(
    "touchstone_job_seconds",
    "Time from a job's claim until a worker let go of it",
    ("kind", "state"),
    registry=_own,
    buckets=JOB_SECONDS,
)

# To look children up by their labels takes longer than to count.
_known_requests: dict[tuple[str, str, int], Counter] = {}
_known_routes: dict[str, Histogram] = {}


def count_request(request: HttpRequest, status: int, seconds: float) -> None:
    """Count an answer, by the name of its route: addresses hold secrets."""
    match = request.resolver_match
    if match is not None:
        route = match.view_name
    else:
        route = "static" if request.path_info.startswith(settings.STATIC_URL) else "none"
    method = request.method if request.method in METHODS else "other"
    key = (route, method or "other", status)
    counter = _known_requests.get(key)
    if counter is None:
        counter = _known_requests[key] = _requests.labels(*key)
        _known_routes[route] = _latency.labels(route)
    counter.inc()
    _known_routes[route].observe(seconds)


def count_submission() -> None:
    """Count a submission that was stored."""
    _submissions.inc()


def count_database_error(error: Exception) -> None:
    """Count an error that reached no view."""
    _database_errors.labels(type(error).__name__).inc()


def count_job(job: Job, seconds: float) -> None:
    """Count a job that this worker let go of."""
    _job_seconds.labels(job.kind, job.state).observe(seconds)


class _Jobs(Collector):
    """What the table of jobs says at this moment."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        jobs = GaugeMetricFamily("touchstone_jobs", "Jobs in the list", labels=("kind", "state"))
        counted = Job.objects.order_by().values_list("kind", "state").annotate(Count("pk"))
        for kind, state, number in counted:
            jobs.add_metric((kind, state), number)
        yield jobs
        workers = GaugeMetricFamily(
            "touchstone_workers", "Workers that are alive and take a queue", labels=("queue",)
        )
        taken = [name for worker in Worker.objects.alive() for name in worker.queues]
        for name in Queue.values:
            workers.add_metric((name,), taken.count(name))
        yield workers
        figures = queue_figures()
        yield GaugeMetricFamily(
            "touchstone_jobs_waiting", "Jobs that wait", value=figures["waiting"]
        )
        yield GaugeMetricFamily(
            "touchstone_oldest_waiting_job_seconds",
            "How long the oldest waiting job has waited",
            value=figures["oldest_waiting_seconds"],
        )


def exposition() -> HttpResponse:
    """Return the figures of all processes of this machine, and of the queue."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(_Jobs())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE)
