from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpus", "0004_invitations")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="priority",
            field=models.PositiveSmallIntegerField(
                db_default=1, default=1, help_text="Smaller comes first."
            ),
        ),
    ]
