from hashlib import sha256

from django.db import migrations, models


def name_runs(apps, schema_editor):
    """Name every run by its metric and settings; a name that is taken gets a hash."""
    runs = apps.get_model("metrics", "MetricRun")
    taken = {}
    for run in runs.objects.filter(name="").select_related("metric").order_by("study_id", "pk"):
        names = taken.setdefault(run.study_id, set())
        metric = " ".join(run.metric.name.replace(",", " ").split())[:80]
        said = [metric, *(part for part in (run.compared_to, run.text_setting) if part)]
        tries = ["/".join(said)[:160]]
        if run.origin == "imported" and run.aspect:
            tries.append("/".join([*said, run.aspect])[:160])
        digits = sha256(run.signature.encode()).hexdigest()
        tries += [f"{tries[0]}/run-{digits[:6]}", f"{tries[0]}/run-{digits[:30]}"]
        run.name = next(each for each in tries if each.casefold() not in names)
        plain = metric.removesuffix(" (computed)")
        mark = metric[len(plain) :]
        names.add(run.name.casefold())
        if not run.is_distribution and run.fields != ["score"]:
            rest = run.name[len(metric) :]
            names |= {f"{plain}-{field}{mark}{rest}".casefold() for field in run.fields}
        run.save(update_fields=["name"])


class Migration(migrations.Migration):

    dependencies = [
        ("metrics", "0011_word_attributions"),
        ("metrics", "0012_trained_model"),
    ]

    operations = [
        migrations.AddField(
            model_name="metricrun",
            name="name",
            field=models.CharField(
                default="",
                help_text="What pages, commands and the API call it; never changed.",
                max_length=200,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(name_runs, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="metricrun",
            constraint=models.UniqueConstraint(
                models.F("study"), models.F("name"), name="run_name_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="metricrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("name", ""), _negated=True), name="run_has_name"
            ),
        ),
    ]
