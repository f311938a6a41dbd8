from django.db import migrations, models

from corpus.triggers import allow_filling_in_texts


class Migration(migrations.Migration):
    dependencies = [("corpus", "0008_import_drafts")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="without_texts",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Its outputs are known by their keys; their texts are not here.",
            ),
        ),
        allow_filling_in_texts(),
    ]
