"""Append-only tables, held by the database itself."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_PERMITTED = "EXISTS (SELECT 1 FROM corpus_permission WHERE what = '{event}')"
WITH_PERMISSION = _PERMITTED.format(event="update")
TEXT_FILLED_IN = """OLD.sha256 = '' AND NEW.sha256 <> '' AND OLD.id = NEW.id
    AND OLD.study_id = NEW.study_id AND OLD.ordinal = NEW.ordinal
    AND OLD.segment_id = NEW.segment_id AND OLD.system_id = NEW.system_id
    AND OLD.variant = NEW.variant"""
"""An output whose key alone is known gets its text, once."""

_SQLITE = """
CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table} WHEN NOT ({condition})
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""
# A condition of a trigger cannot look at another table in PostgreSQL.
_POSTGRESQL = """
CREATE FUNCTION {table}_no_{event}() RETURNS trigger AS $$
BEGIN
  IF {condition} THEN RETURN {row}; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$ LANGUAGE plpgsql;
CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table}
FOR EACH ROW EXECUTE FUNCTION {table}_no_{event}()
"""


def append_only(table: str, update_if: str = "false") -> migrations.RunPython:
    """Return the operation of a migration that makes a table append-only.

    Rows are deleted by transactions with a permission alone.

    Parameters
    ----------
    table
        Its name.
    update_if
        When a row may change all the same: SQL about OLD and NEW.
    """
    conditions = (
        ("update", update_if, "NEW"),
        ("delete", _PERMITTED.format(event="delete"), "OLD"),
    )

    def forwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
        template = _POSTGRESQL if editor.connection.vendor == "postgresql" else _SQLITE
        for event, condition, row in conditions:
            said = {"table": table, "event": event, "condition": condition, "row": row}
            editor.execute(template.format(**said), params=None)

    return migrations.RunPython(forwards)
