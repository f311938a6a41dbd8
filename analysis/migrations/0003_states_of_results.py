"""Results name the state of the ratings themselves; nothing of the ratings is kept with them."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def name_states(apps: Any, schema_editor: Any) -> None:
    """Keep the sweeps; what else was stored was made by older code and is not found again."""
    results = apps.get_model("analysis", "Result").objects
    snapshots = apps.get_model("analysis", "Snapshot").objects.filter(pk=OuterRef("snapshot_id"))
    results.exclude(kind="sweep").delete()
    results.update(
        study_id=Subquery(snapshots.values("study_id")),
        ratings_sha256=Subquery(snapshots.values("sha256")),
    )


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0001_initial"),
        ("analysis", "0002_frozen_reports"),
    ]
    operations = [
        migrations.AddField(
            "result",
            "study",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="results",
                to="corpus.study",
            ),
        ),
        migrations.AddField(
            "result",
            "ratings_sha256",
            models.CharField(
                blank=True,
                default="",
                help_text="State of the ratings; empty where it uses none.",
                max_length=64,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(name_states, migrations.RunPython.noop),
    ]
