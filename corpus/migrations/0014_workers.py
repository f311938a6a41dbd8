"""Workers sign a row while they live."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0013_sign_in_changes"),
    ]

    operations = [
        migrations.CreateModel(
            name="Worker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(help_text="Machine and process.", max_length=100, unique=True),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("work", "manage.py work"), ("celery", "Celery")], max_length=20
                    ),
                ),
                ("queues", models.JSONField(help_text="Which jobs it takes.")),
                (
                    "processes",
                    models.PositiveSmallIntegerField(default=1, help_text="Jobs at a time."),
                ),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ("name",),
            },
        ),
    ]
