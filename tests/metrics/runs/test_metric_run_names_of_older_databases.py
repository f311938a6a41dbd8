"""Runs of a database that knew no names get one each."""

import pytest
from django.core.management import call_command

from tests.fixtures.migration_chain import chain

OLD, NEW = [("metrics", "0012_trained_model")], [("metrics", "0013_run_names")]


@pytest.mark.django_db(transaction=True)
def test_runs_of_older_databases_are_named_by_metric_and_settings():
    executor = chain()
    executor.migrate(OLD)
    apps = executor.loader.project_state(OLD).apps
    study = apps.get_model("corpus", "Study").objects.create(slug="old", title="Old")
    metrics, runs = (apps.get_model("metrics", name) for name in ("Metric", "MetricRun"))
    metric = metrics.objects.create(study=study, name="bleu", orientation="higher")
    facts = [
        ("source", "", ["score"]),
        ("source", "style_masked", ["score"]),
        ("source", "", ["score"]),
        ("", "", ["p", "f"]),
    ]
    for number, (compared_to, text_setting, fields) in enumerate(facts):
        runs.objects.create(
            study=study,
            metric=metric,
            signature=f"bleu|{number}",
            compared_to=compared_to,
            text_setting=text_setting,
            fields=fields,
            origin="computed",
        )
    executor = chain()
    executor.migrate(NEW)
    renamed = executor.loader.project_state(NEW).apps.get_model("metrics", "MetricRun")
    names = list(renamed.objects.order_by("pk").values_list("name", flat=True))
    assert names[:2] == ["bleu/source", "bleu/source/style_masked"]
    assert names[2].startswith("bleu/source/run-")
    assert names[3] == "bleu"
    call_command("migrate", verbosity=0)
