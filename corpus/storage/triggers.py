"""Append-only tables, held by the database itself."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

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


class AppendOnly(Operation):
    """The operation of a migration that makes a table append-only.

    Rows are deleted by transactions with a permission alone. No models are rendered for it, as
    they are for `RunPython`.

    Parameters
    ----------
    table
        Its name.
    update_if
        When a row may change all the same: SQL about OLD and NEW.
    """

    reversible = False

    def __init__(self, table: str, update_if: str = "false") -> None:
        self.table, self.update_if = table, update_if

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change no model."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Make the triggers."""
        is_postgresql = schema_editor.connection.vendor == "postgresql"
        template = _POSTGRESQL if is_postgresql else _SQLITE
        for event, condition, row in (
            ("update", self.update_if, "NEW"),
            ("delete", _PERMITTED.format(event="delete"), "OLD"),
        ):
            said = {"table": self.table, "event": event, "condition": condition, "row": row}
            schema_editor.execute(template.format(**said), params=None)
