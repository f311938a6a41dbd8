"""Drop three indexes whose columns are the first of a constraint's index.

Every submission and every imported rating wrote to them, and nothing reads them. The statements are
written out: altering the columns would make SQLite build the append-only tables anew.
"""

import django.db.models.deletion
from django.db import migrations, models

DOUBLE = {
    "annotation_assignment_item_id_21c60055": "annotation_assignment (item_id)",
    "annotation_rating_submission_id_815daca6": "annotation_rating (submission_id)",
    "annotation_submission_item_id_f1ef65ec": "annotation_submission (item_id)",
}


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_squashed_0012_deletion")]

    operations = [
        migrations.SeparateDatabaseAndState(
            [
                migrations.RunSQL(f"DROP INDEX IF EXISTS {name}", f"CREATE INDEX {name} ON {place}")
                for name, place in DOUBLE.items()
            ],
            [
                migrations.AlterField(
                    model_name="assignment",
                    name="item",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignments",
                        to="annotation.item",
                    ),
                ),
                migrations.AlterField(
                    model_name="rating",
                    name="submission",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="annotation.submission",
                    ),
                ),
                migrations.AlterField(
                    model_name="submission",
                    name="item",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="annotation.item",
                    ),
                ),
            ],
        )
    ]
