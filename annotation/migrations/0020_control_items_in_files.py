from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0019_categories")]

    operations = [
        migrations.AddField(
            "stagedrating",
            "item_kind",
            models.CharField(db_default="plain", default="plain", max_length=20),
        ),
        migrations.AddField(
            "stagedrating",
            "occasion",
            models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
    ]
