from django.db import migrations

from corpus.triggers import append_only


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]

    operations = [append_only("annotation_submission"), append_only("annotation_rating")]
