from django.db import migrations, models

from corpus.triggers import allow


class Migration(migrations.Migration):
    dependencies = [("annotation", "0011_refused_elsewhere"), ("corpus", "0007_deletion")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="deletion_asked_at",
            field=models.DateTimeField(
                blank=True, help_text="Nobody rates since then; to be deleted.", null=True
            ),
        ),
        allow("delete", "annotation_rating"),
        allow("delete", "annotation_submission"),
        allow("update", "annotation_submission"),
    ]
