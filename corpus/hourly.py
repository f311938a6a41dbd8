"""What workers do each hour: deletions that are due, what is left over, and what others ask for."""

from collections.abc import Callable

from corpus.deletion import delete_due
from corpus.pruning import prune

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
