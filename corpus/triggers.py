"""Append-only tables, held by the database itself."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_SQLITE = """
CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""
_POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END
$$ LANGUAGE plpgsql
"""
_POSTGRESQL = """
CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table}
FOR EACH ROW EXECUTE FUNCTION refuse_change()
"""
EVENTS = ("UPDATE", "DELETE")


def create_triggers(editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Forbid UPDATE and DELETE on a table."""
    if editor.connection.vendor == "postgresql":
        editor.execute(_POSTGRESQL_FUNCTION, params=None)
    template = _POSTGRESQL if editor.connection.vendor == "postgresql" else _SQLITE
    for event in EVENTS:
        editor.execute(template.format(table=table, event=event))


def drop_triggers(editor: BaseDatabaseSchemaEditor, table: str) -> None:
    """Allow UPDATE and DELETE again; for migrations and for the flush between tests."""
    on_table = f" ON {table}" if editor.connection.vendor == "postgresql" else ""
    for event in EVENTS:
        editor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{event}{on_table}")


def append_only(table: str) -> migrations.RunPython:
    """Return the migration operation that makes a table append-only."""

    def forwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        create_triggers(editor, table)

    def backwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        drop_triggers(editor, table)

    return migrations.RunPython(forwards, backwards)
