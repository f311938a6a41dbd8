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


_PERMISSION = "EXISTS (SELECT 1 FROM corpus_permission WHERE what = '{event}')"
_SQLITE_ALLOWING = f"""
CREATE TRIGGER {{table}}_no_{{event}} BEFORE {{event}} ON {{table}} WHEN NOT {_PERMISSION}
BEGIN SELECT RAISE(ABORT, '{{table}} is append-only'); END
"""
_POSTGRESQL_ALLOWING = f"""
CREATE OR REPLACE FUNCTION refuse_unpermitted_{{event}}() RETURNS trigger AS $$
BEGIN
  IF {_PERMISSION} THEN
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$ LANGUAGE plpgsql
"""
_POSTGRESQL_TRIGGER = """
CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table}
FOR EACH ROW EXECUTE FUNCTION refuse_unpermitted_{event}()
"""


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


def allow(event: str, table: str) -> migrations.RunPython:
    """Return the operation that lets transactions with a permission delete or update rows.

    The trigger looks at the table of permissions only: SQLite renames no table that a trigger
    of another one names.
    """

    def forwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        _drop_trigger(editor, table, event)
        if editor.connection.vendor == "postgresql":
            editor.execute(_POSTGRESQL_ALLOWING.format(event=event), params=None)
            editor.execute(_POSTGRESQL_TRIGGER.format(table=table, event=event), params=None)
        else:
            editor.execute(_SQLITE_ALLOWING.format(table=table, event=event), params=None)

    def backwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        drop_triggers(editor, table)
        create_triggers(editor, table)

    return migrations.RunPython(forwards, backwards)


_TEXT_FILLED_IN = """OLD.sha256 = '' AND NEW.sha256 <> '' AND OLD.id = NEW.id
    AND OLD.study_id = NEW.study_id AND OLD.ordinal = NEW.ordinal
    AND OLD.segment_id = NEW.segment_id AND OLD.system_id = NEW.system_id
    AND OLD.variant = NEW.variant"""
_UPDATE_OF_OUTPUT = "CREATE TRIGGER corpus_output_no_UPDATE BEFORE UPDATE ON corpus_output "


def allow_filling_in_texts() -> migrations.RunPython:
    """Return the operation that lets an output whose key alone is known get its text, once."""

    def forwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        _drop_trigger(editor, "corpus_output", "UPDATE")
        if editor.connection.vendor == "postgresql":
            condition = f"FOR EACH ROW WHEN (NOT ({_TEXT_FILLED_IN})) EXECUTE FUNCTION "
            editor.execute(f"{_UPDATE_OF_OUTPUT}{condition}refuse_change()", params=None)
        else:
            refusal = "BEGIN SELECT RAISE(ABORT, 'corpus_output is append-only'); END"
            statement = f"{_UPDATE_OF_OUTPUT}WHEN NOT ({_TEXT_FILLED_IN}) {refusal}"
            editor.execute(statement, params=None)

    def backwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        _drop_trigger(editor, "corpus_output", "UPDATE")
        template = _POSTGRESQL if editor.connection.vendor == "postgresql" else _SQLITE
        editor.execute(template.format(table="corpus_output", event="UPDATE"))

    return migrations.RunPython(forwards, backwards)


def _drop_trigger(editor: BaseDatabaseSchemaEditor, table: str, event: str) -> None:
    on_table = f" ON {table}" if editor.connection.vendor == "postgresql" else ""
    editor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{event}{on_table}")
