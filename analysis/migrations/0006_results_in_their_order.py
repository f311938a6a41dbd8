"""Keep results as text, so that a stored table has the order of a fresh one on PostgreSQL too."""

from django.db import migrations

from analysis.models import OrderedJSONField


class Migration(migrations.Migration):
    dependencies = [("analysis", "0005_frozen_content_as_text")]

    operations = [migrations.AlterField("Result", "content", OrderedJSONField())]
