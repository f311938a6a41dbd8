"""The one way by which rows of append-only tables go."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from corpus.models import Permission
from corpus.storage.write_turn import in_write_turn

ROWS_AT_ONCE = 1000


@contextmanager
def permitted(what: str) -> Iterator[None]:
    """Let this transaction ``"delete"`` rows, or ``"update"`` those whose words may go."""
    with transaction.atomic():
        permission = Permission.objects.create(what=what)
        yield
        permission.delete()


def remove_rows(rows: QuerySet[Any]) -> int:
    """Delete rows some at a time, so that others go on writing; return how many."""
    removed = 0
    while True:
        some = _remove_some(rows)
        removed += some
        if some < ROWS_AT_ONCE:
            return removed


@in_write_turn
def _remove_some(rows: QuerySet[Any]) -> int:
    with permitted("delete"):
        some = list(rows.order_by("pk").values_list("pk", flat=True)[:ROWS_AT_ONCE])
        rows.model._default_manager.filter(pk__in=some).delete()
    return len(some)
