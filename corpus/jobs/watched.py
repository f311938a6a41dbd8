"""What others hear of jobs: those who count them when they end, and lines of the log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, ParamSpec, cast

if TYPE_CHECKING:
    # Lines of the log are written before there are models.
    from corpus.models import Job

Fields = Mapping[str, str | int | None]

_fields: ContextVar[Fields] = ContextVar("log_fields", default=MappingProxyType({}))
P = ParamSpec("P")

ended: list[Callable[[Job, float], None]] = []
"""Are called with each job that a worker let go of, and the seconds that it took."""


@contextmanager
def in_log(**fields: str | int | None) -> Iterator[None]:
    """Add fields to each line that is written inside.

    Examples
    --------
    >>> with in_log(job=7):
    ...     log_fields()
    {'job': 7}
    >>> log_fields()
    {}
    """
    token = _fields.set({**_fields.get(), **fields})
    try:
        yield
    finally:
        _fields.reset(token)


def log_fields() -> dict[str, str | int | None]:
    """Return the fields of this place."""
    return dict(_fields.get())


def watched(run: Callable[P, Job]) -> Callable[P, Job]:
    """Name the job in each line of the log that comes from its run, and call `ended` with it."""

    @wraps(run)
    def watched_run(*args: P.args, **kwargs: P.kwargs) -> Job:
        job = cast("Job", args[0])
        begun = time.monotonic()
        with in_log(job=job.pk, kind=job.kind, worker=job.worker, study_id=job.study_id):
            job = run(*args, **kwargs)
        for call in ended:
            call(job, time.monotonic() - begun)
        return job

    return watched_run
