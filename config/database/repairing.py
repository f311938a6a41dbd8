"""Repair of what SQLite stored and no other database keeps: NUL and halves of surrogate pairs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import CharField, JSONField, TextField

from config.database.rows import Table, all_tables, columns, rows
from corpus.models import AuditEntry
from corpus.storage.storable import repaired, strings, unstorable

HASHED = "sha256"
"""The column of tables whose content is what its hash says."""


@dataclass(frozen=True, slots=True)
class Repair:
    """One value, as it is stored and as it shall be."""

    table: Table
    key: Any
    field: Any
    value: Any

    def __str__(self) -> str:
        return f"{self.table._meta.db_table} {self.key}, {self.field.column}"

    @property
    def is_possible(self) -> bool:
        """Whether no other row and no hash depends on the value."""
        return not self.field.primary_key and all(
            field.attname != HASHED for field in columns(self.table)
        )

    def replaced(self) -> list[dict[str, Any]]:
        """Return which characters are replaced, and where: what it takes to undo it."""
        return [
            {
                "in": [str(repaired(step)) for step in steps],
                "at": place,
                "was": f"U+{ord(character):04X}",
            }
            for steps, text in strings(self.value)
            for place, character in enumerate(text)
            if unstorable(character)
        ]


def repair() -> tuple[list[Repair], list[Repair]]:
    """Put U+FFFD in place of what cannot be stored elsewhere; return what was and was not done.

    Each change leaves an audit entry with the characters and their places, without the words
    around them. All are made or none. Append-only tables let go of their triggers within the
    transaction alone; answers keep the hash of what was sent.
    """
    found = [each for table in all_tables() for each in _found(table)]
    done = [each for each in found if each.is_possible]
    with transaction.atomic(durable=True):
        for each in done:
            with _changeable(each.table):
                row = each.table._base_manager.filter(pk=each.key)
                row.update(**{each.field.attname: repaired(each.value)})
            about = f"{each.table._meta.db_table} {each.key} {each.field.column}"
            before, after = {"replaced": each.replaced()}, {"by": "U+FFFD"}
            AuditEntry.record(None, None, "repair characters", about, before=before, after=after)
    return done, [each for each in found if not each.is_possible]


def _found(table: Table) -> Iterator[Repair]:
    texts = [
        (place, field)
        for place, field in enumerate(columns(table))
        if isinstance(field, CharField | TextField | JSONField)
    ]
    key = [field.primary_key for field in columns(table)].index(True)
    for row in rows(table, "default") if texts else ():
        for place, field in texts:
            if any(unstorable(text) for _, text in strings(row[place])):
                yield Repair(table, row[key], field, row[place])


@contextmanager
def _changeable(table: Table) -> Iterator[None]:
    """Take the triggers away that keep a table as it is, and put them back."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s"
            " AND sql LIKE '%%append-only%%'",
            [table._meta.db_table],
        )
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(name)}")
        yield
        for _, statement in triggers:
            cursor.execute(statement)
