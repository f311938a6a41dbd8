"""The tables of an empty database, made at once."""

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState

from corpus.storage.triggers import AppendOnly


def create_tables(connection: BaseDatabaseWrapper) -> None:
    """Make the tables of a database without any from the models, as all migrations together do.

    For each operation of a migration Django makes most classes of models anew, which was most of
    what a first start took. That the tables are the same is tested. All migrations are recorded;
    what only changes rows has nothing to do here.
    """
    if connection.introspection.table_names():
        return
    executor = MigrationExecutor(connection)
    executor.recorder.ensure_schema()
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            if model._meta.can_migrate(connection):
                editor.create_model(model)
        for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes()):
            for operation in migration.operations:
                if isinstance(operation, AppendOnly):
                    operation.database_forwards(
                        migration.app_label, editor, ProjectState(), ProjectState()
                    )
            executor.record_migration(migration)  # type: ignore[call-arg, arg-type]
