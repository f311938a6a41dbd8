from django.db import migrations, models


class WiderOnPostgreSQL(migrations.AlterField):
    """SQLite does not hold texts to a length, and would copy the table without its triggers."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        self.database_forwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0018_rounds_of_a_queue")]

    operations = [
        WiderOnPostgreSQL("rating", "choice", models.CharField(blank=True, max_length=100)),
        WiderOnPostgreSQL("stagedrating", "choice", models.CharField(blank=True, max_length=100)),
    ]
