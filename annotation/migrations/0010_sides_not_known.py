"""A side that nobody stated is not known, instead of side A."""

from django.db import migrations, models

from corpus.triggers import create_triggers, drop_triggers


def forget_assumed_sides(apps, editor):
    """Empty the side of imported judgements; only what was sent from a browser has a payload."""
    submission = apps.get_model("annotation", "Submission")
    drop_triggers(editor, submission._meta.db_table)
    submission.objects.filter(payload_sha256="").update(swapped=None)
    create_triggers(editor, submission._meta.db_table)


def assume_sides(apps, editor):
    """State a side again, without which the former column cannot be."""
    submission = apps.get_model("annotation", "Submission")
    drop_triggers(editor, submission._meta.db_table)
    submission.objects.filter(swapped=None).update(swapped=False)


def renew_triggers(apps, editor):
    """Make the table append-only again, which SQLite made anew."""
    drop_triggers(editor, "annotation_submission")
    create_triggers(editor, "annotation_submission")


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0009_campaign_sets'),
    ]

    operations = [
        migrations.AddField(
            model_name='stagedrating',
            name='swapped',
            field=models.BooleanField(help_text='Whether `first` was on side B.', null=True),
        ),
        migrations.AddField(
            model_name='stagedrating',
            name='seconds',
            field=models.FloatField(null=True),
        ),
        migrations.RunPython(migrations.RunPython.noop, renew_triggers),
        migrations.AlterField(
            model_name='submission',
            name='swapped',
            field=models.BooleanField(blank=True, help_text='Whether the first text was on side B; empty where no import says so.', null=True),
        ),
        migrations.RunPython(forget_assumed_sides, assume_sides),
    ]
