"""The kinds of jobs that workers know, registered by the rooms that own them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus.jobs.progress import Progress
    from corpus.models import Job

JobFunction = Callable[["Job", "Progress"], dict[str, Any]]

_functions: dict[str, JobFunction] = {}


def register_job(kind: str, function: JobFunction) -> None:
    """Let workers run `function` for jobs of `kind`; it must be idempotent.

    Raises
    ------
    ValueError
        If another function already has this kind.
    """
    if _functions.setdefault(kind, function) is not function:
        raise ValueError(f"two functions for jobs of kind {kind!r}")


def job_function(kind: str) -> JobFunction:
    """Return the function of a kind; LookupError if no room registered it."""
    try:
        return _functions[kind]
    except KeyError:
        known = ", ".join(sorted(_functions))
        raise LookupError(f"no job of kind {kind!r}; known: {known}") from None
