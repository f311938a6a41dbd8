"""What workers do each hour: deletions that are due, what is left over, and what others ask for."""

from collections.abc import Callable

from corpus.storage.pruning import prune
from corpus.studies.deletion import delete_due

_tasks: list[Callable[[], object]] = []


def register_hourly(task: Callable[[], object]) -> None:
    """Let workers do something each hour; every worker calls it, so it must see what is due."""
    if task not in _tasks:
        _tasks.append(task)


def do_hourly() -> None:
    """Do everything."""
    delete_due()
    prune()
    for task in _tasks:
        task()
