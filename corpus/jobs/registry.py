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
_first: set[str] = set()
_bounded: set[str] = set()
_heavy: set[str] = set()
_seen: dict[str, Seen] = {}


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
    _first.update({kind} if first else ())
    _bounded.update({kind} if bounded else ())
    _heavy.update({kind} if heavy else ())
    if seen is not None:
        _seen[kind] = seen


def job_function(kind: str) -> JobFunction:
    """Return the function of a kind; LookupError if no room registered it."""
    try:
        return _functions[kind]
    except KeyError:
        known = ", ".join(sorted(_functions))
        raise LookupError(f"no job of kind {kind!r}; known: {known}") from None


def is_first(kind: str) -> bool:
    """Whether an owner's job of a kind comes before everything else."""
    return kind in _first


def is_bounded(kind: str) -> bool:
    """Whether jobs of a kind have a limit of time, and only the latest ended ones are kept."""
    return kind in _bounded


def is_heavy(kind: str) -> bool:
    """Whether jobs of a kind may take hours."""
    return kind in _heavy


def seen_by_rules() -> dict[str, Seen]:
    """Return the kinds of which to open the study is not enough, with what a person may see."""
    return dict(_seen)


def bounded_kinds() -> list[str]:
    """Return the kinds that are bounded, by name."""
    return sorted(_bounded)
