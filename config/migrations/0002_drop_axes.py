"""Drop the tables of django-axes: names and addresses of those who signed in."""

from django.db import migrations

TABLES = ("accessattemptexpiration", "accessattempt", "accessfailurelog", "accesslog")


class Migration(migrations.Migration):
    dependencies = [("site", "0001_sessions")]

    operations = [
        migrations.RunSQL([f"DROP TABLE IF EXISTS axes_{table}" for table in TABLES]),
    ]
