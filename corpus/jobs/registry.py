"""The kinds of jobs that workers know, registered by the rooms that own them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import Q

    from corpus.jobs.progress import Progress
    from corpus.models import Job

JobFunction = Callable[["Job", "Progress"], dict[str, Any]]
Seen = Callable[["User"], "Q"]

_functions: dict[str, JobFunction] = {}
first_kinds: set[str] = set()
"""Kinds of which an owner's job comes before everything else."""
bounded_kinds: set[str] = set()
"""Kinds that have a limit of time, and of which only the latest ended jobs are kept."""
heavy_kinds: set[str] = set()
"""Kinds that may take hours."""
seen_by_rules: dict[str, Seen] = {}
"""Kinds of which to open the study is not enough, with what a person may see."""


def register_job(
    kind: str,
    function: JobFunction,
    *,
    first: bool = False,
    bounded: bool = False,
    heavy: bool = False,
    seen: Seen | None = None,
) -> None:
    """Let workers run `function` for jobs of `kind`; it must be idempotent.

    Parameters
    ----------
    kind, function
    first
        Whether an owner's job of this kind comes before everything else.
    bounded
        Whether it only computes what can be asked for again: it has a limit of time, and only the
        latest ended ones are kept.
    heavy
        Whether it is for workers of the queue ``heavy``: it may take hours.
    seen
        Which jobs of this kind a person may see beside their own, if to open the job's study is
        not enough.

    Raises
    ------
    ValueError
        If another function already has this kind.
    """
    if _functions.setdefault(kind, function) is not function:
        raise ValueError(f"two functions for jobs of kind {kind!r}")
    first_kinds.update({kind} if first else ())
    bounded_kinds.update({kind} if bounded else ())
    heavy_kinds.update({kind} if heavy else ())
    if seen is not None:
        seen_by_rules[kind] = seen


def job_function(kind: str) -> JobFunction:
    """Return the function of a kind; LookupError if no room registered it."""
    try:
        return _functions[kind]
    except KeyError:
        known = ", ".join(sorted(_functions))
        raise LookupError(f"no job of kind {kind!r}; known: {known}") from None
