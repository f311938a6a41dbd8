"""Snapshots of ratings, which were written and never read, are no more."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analysis", "0003_states_of_results")]
    operations = [
        migrations.RemoveConstraint("result", "result_once"),
        migrations.RemoveField("result", "snapshot"),
        migrations.DeleteModel("Snapshot"),
        migrations.AlterField(
            "result",
            "study",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="results",
                to="corpus.study",
            ),
        ),
        migrations.AddConstraint(
            "result",
            models.UniqueConstraint(
                models.F("study"),
                models.F("ratings_sha256"),
                models.F("signature"),
                name="result_once",
            ),
        ),
    ]
