import django.db.models.deletion
from django.db import migrations, models

from corpus.triggers import allow, create_triggers, drop_triggers

TABLES = ("corpus_output", "corpus_auditentry", "corpus_stylelexicon", "corpus_maskedtext")


def drop(apps, editor):
    drop_triggers(editor, "corpus_auditentry")


def create(apps, editor):
    create_triggers(editor, "corpus_auditentry")


class Migration(migrations.Migration):
    dependencies = [("corpus", "0006_rate_limits")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="deletion_asked_at",
            field=models.DateTimeField(
                blank=True, help_text="Hidden since then, to be deleted.", null=True
            ),
        ),
        migrations.CreateModel(
            name="Permission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("what", models.CharField(max_length=10)),
            ],
            options={"db_table": "corpus_permission", "default_permissions": ()},
        ),
        # SQLite makes the table anew, without triggers.
        migrations.RunPython(drop, create),
        migrations.AlterField(
            model_name="auditentry",
            name="study",
            field=models.ForeignKey(
                blank=True,
                help_text="Empty where the study was deleted.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="audit_entries",
                to="corpus.study",
            ),
        ),
        migrations.RunPython(create, drop),
        *(allow("delete", table) for table in TABLES),
    ]
