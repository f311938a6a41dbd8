"""Metric runs say whether this server saw them being computed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("metrics", "0017_judge_answers")]

    operations = [
        migrations.AddField(
            model_name="metricrun",
            name="imported_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When an import first brought scores of it; empty if all are from here.",
                null=True,
            ),
        ),
    ]
