"""Preregistrations say whether this server saw them being registered."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analysis", "0009_preregistrations")]

    operations = [
        migrations.AddField(
            model_name="preregistration",
            name="imported_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When an import brought it; empty if it was registered here.",
                null=True,
            ),
        ),
    ]
