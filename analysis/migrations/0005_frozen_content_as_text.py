"""Keep frozen reports as text where 0002 was applied when it kept them as JSON."""

import json

from django.db import migrations, models

from corpus.earlier_schemas import has_column


def keep_as_text(apps, editor):
    reports = apps.get_model("analysis", "FrozenReport")
    table = reports._meta.db_table
    if not has_column(editor, table, "content"):
        return
    with editor.connection.cursor() as cursor:
        cursor.execute(f"SELECT id, CAST(content AS text) FROM {table}")
        contents = cursor.fetchall()
    column = models.TextField(default="")
    column.set_attributes_from_name("content_json")
    editor.add_field(reports, column)
    # SQLite has made the table anew by now, with the columns that the model has.
    if has_column(editor, table, "content"):
        editor.execute(f"ALTER TABLE {table} DROP COLUMN content")
    for pk, content in contents:
        # As `canonical_json` writes it.
        text = json.dumps(
            json.loads(content), sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        reports.objects.filter(pk=pk).update(content_json=text)


class Migration(migrations.Migration):
    dependencies = [("analysis", "0004_results_of_states")]

    operations = [migrations.RunPython(keep_as_text, migrations.RunPython.noop)]
