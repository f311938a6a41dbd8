"""What is noted of each run of a job, by those who watch the site."""

import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, cast

from corpus.jobs.log_context import in_log
from corpus.models import Job

P = ParamSpec("P")

ended: list[Callable[[Job, float], None]] = []
"""Are called with each job that a worker let go of, and the seconds that it took."""


def watched(run: Callable[P, Job]) -> Callable[P, Job]:
    """Name the job in each line of the log that comes from its run, and call `ended` with it."""

    @wraps(run)
    def watched_run(*args: P.args, **kwargs: P.kwargs) -> Job:
        job = cast(Job, args[0])
        begun = time.monotonic()
        with in_log(job=job.pk, kind=job.kind, worker=job.worker, study_id=job.study_id):
            job = run(*args, **kwargs)
        for call in ended:
            call(job, time.monotonic() - begun)
        return job

    return watched_run
