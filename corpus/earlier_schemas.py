"""For migrations: what databases have whose version knew another form of a published migration.

Some migrations were changed after databases had been made with them. Those databases count the
migration as applied, so that it must do less there, or a later one more.
"""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def has_column(editor: BaseDatabaseSchemaEditor, table: str, column: str) -> bool:
    """Whether a table has a column of this name."""
    with editor.connection.cursor() as cursor:
        columns = editor.connection.introspection.get_table_description(cursor, table)
    return column in {each.name for each in columns}


def add_if_absent(editor: BaseDatabaseSchemaEditor, model: Any, name: str) -> None:
    """Add a field that a model has by its migrations and its table may lack."""
    field = model._meta.get_field(name)
    if not has_column(editor, model._meta.db_table, field.column):
        editor.add_field(model, field)


def make_anew_without(editor: BaseDatabaseSchemaEditor, model: Any, name: str) -> None:
    """Make a table of staged rows anew if it lacks a field; staged rows belong to one import."""
    if not has_column(editor, model._meta.db_table, name):
        editor.delete_model(model)
        editor.create_model(model)


class CreateUnlessThere(migrations.CreateModel):
    """Create a model whose table a migration of another name may have made."""

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        """Create the table if there is none."""
        table = to_state.apps.get_model(app_label, self.name)._meta.db_table
        if table not in schema_editor.connection.introspection.table_names():
            super().database_forwards(app_label, schema_editor, from_state, to_state)
