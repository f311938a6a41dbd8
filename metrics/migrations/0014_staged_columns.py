"""Add columns that 0010 did not have yet when some databases were made."""

from django.db import migrations

from corpus.earlier_schemas import add_if_absent


def add_columns(apps, editor):
    add_if_absent(editor, apps.get_model("metrics", "StagedScore"), "reason")
    add_if_absent(editor, apps.get_model("metrics", "StagedBlock"), "statistics")


class Migration(migrations.Migration):
    dependencies = [("metrics", "0013_run_names")]

    operations = [migrations.RunPython(add_columns, migrations.RunPython.noop)]
