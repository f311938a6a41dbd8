"""Pages, files, commands and the API of collections, and adding a metric to one."""

import json

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.collections.service import comparison
from analysis.models import Collection
from corpus.jobs.worker import run_next
from corpus.models import Job, Membership
from metrics.models import Metric, MetricRun
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, tables
from tests.fixtures.small_collections import NUMBERS, STATISTICS, SYSTEMS


@pytest.fixture
def owner(studies, collection):
    person = User.objects.create_user("owner")
    for study in studies:
        Membership.objects.create(study=study, user=person, role="owner")
    collection.owner = person
    collection.save()
    client = Client()
    client.force_login(person)
    return client


def run_all_jobs():
    while job := run_next():
        assert job.state == "done", job.error or job.result


# The page


def test_the_matrix_shows_values_ranks_and_what_each_rests_on(owner, collection):
    table = tables(open_page(owner, "/collections/both/"))["Metrics by tasks"]
    content = comparison(collection)["content"]["metrics"]
    places = [table.headings.index(name) for name in table.headings if "weight" in name]
    assert len(places) == 7
    for row in at_least_one(content["rows"]):
        assert table.cell("Rank", row["name"]).text == str(row["rank"])
        (cells,) = [cells for _, cells in table.rows if cells[0].text == row["name"]]
        for place, cell in zip(places, row["cells"], strict=True):
            (number,) = cells[place].numbers
            assert number.facts["unrounded"] == f"{cell['value']:.10g}"
            assert number.facts["signature"] == cell["signature"]


def test_a_long_comparison_becomes_a_job_and_then_the_page(owner, monkeypatch):
    monkeypatch.setattr("analysis.collections.service.QUICK", 0)
    assert owner.get("/collections/both/").status_code == 202
    assert owner.get("/collections/both/tables/metrics.csv").status_code == 202
    assert owner.get("/api/v1/collections/both/report/").status_code == 202
    assert Job.objects.filter(kind="collection").count() == 1
    run_all_jobs()
    assert owner.get("/collections/both/").status_code == 200


# Files


@pytest.mark.parametrize("name", ["metrics", "metric-tests", "systems", "system-tests", "tasks"])
def test_every_table_comes_as_csv_json_and_latex(owner, name):
    at = f"/collections/both/tables/{name}"
    csv, tex = owner.get(f"{at}.csv").content.decode(), owner.get(f"{at}.tex").content.decode()
    content = owner.get(f"{at}.json").json()
    assert len(csv.splitlines()) == len(content["rows"]) + 1
    assert content["sources"][0] == "collection: both"
    assert r"\toprule" in tex
    assert owner.get(f"{at}.xlsx").status_code == 404


# Making and changing


def test_a_collection_is_made_from_a_preset(owner, studies):
    sent = {
        "title": "Directions",
        "slug": "directions",
        "preset": "directions",
        "studies": [study.pk for study in studies],
    }
    assert owner.post("/collections/new/", sent)["Location"] == "/collections/directions/"
    made = Collection.objects.get(slug="directions")
    assert made.correction == "holm"
    assert made.tasks.count() == 6


def test_tasks_are_changed_and_removed_on_a_form(owner, collection):
    page = owner.get("/collections/both/edit/")
    formset = page.context["tasks"]
    sent = {"title": "New", "correction": "holm", "draws": 300, "seed": 1}
    sent |= {"form-TOTAL_FORMS": 8, "form-INITIAL_FORMS": 8}
    for place, form in enumerate(formset.forms[:8]):
        for name, value in form.initial.items():
            sent[f"form-{place}-{name}"] = value if place < 2 or name != "study" else ""
    sent["form-0-weight"] = "2.5"
    answer = owner.post("/collections/both/edit/", sent)
    assert answer.status_code == 302, answer.context["tasks"].errors
    collection.refresh_from_db()
    assert (collection.title, collection.correction) == ("New", "holm")
    weights = list(collection.tasks.values_list("statistic", "weight"))
    assert weights == [(STATISTICS[0], 2.5), (STATISTICS[1], 1.0)]
    sent["form-1-pool"] = "all"
    refused = owner.post("/collections/both/edit/", sent)
    assert refused.status_code == 400
    assert "cannot be pooled" in refused.content.decode()


def test_a_collection_is_deleted_and_its_studies_stay(owner, studies):
    assert owner.post("/collections/both/delete/")["Location"] == "/collections/"
    assert not Collection.objects.exists()
    for study in studies:
        study.refresh_from_db()


# Adding a metric


def scores_of(name):
    rows = ["segment,system,metric,score"]
    rows += [f"s{n},{system},mine,{n % 3}" for n in range(NUMBERS[name]) for system in SYSTEMS]
    return SimpleUploadedFile(f"{name}.csv", "\n".join(rows).encode())


def test_files_of_scores_take_their_place_with_tests(owner, studies, collection):
    before = comparison(collection)
    files = {f"study-{study.pk}": scores_of(study.slug) for study in studies}
    assert owner.post("/collections/both/scores/", files)["Location"] == "/jobs/"
    run_all_jobs()
    Metric.objects.filter(name="mine").update(orientation="higher")
    found = comparison(collection)
    assert found["signature"] != before["signature"]
    names = [row["name"] for row in found["content"]["metrics"]["rows"]]
    assert set(names) == {"good", "fair", "poor", "mine"}
    pairs = found["content"]["metrics"]["pairs"][1]
    place = names.index("mine")
    assert sum(place in pair for pair in zip(pairs["better"], pairs["worse"], strict=True)) == 3


def test_a_metric_of_the_registry_is_computed_in_every_study(owner, collection):
    answer = owner.post("/collections/both/run/", {"metric": "edit-distance"})
    assert answer["Location"] == "/jobs/"
    assert Job.objects.filter(kind="score").count() == 2
    run_all_jobs()
    # It was given the reference that the tasks name, under the number that it has here.
    assert set(MetricRun.objects.filter(origin="computed").values_list("compared_to")) == {
        ("reference.2",)
    }
    rows = comparison(collection)["content"]["metrics"]["rows"]
    (row,) = [row for row in rows if row["name"] == "edit-distance"]
    assert row["average"]["kind"] == "estimate"
    assert row["note"] == "computed"
    assert row["cells"][1]["details"]["read"] == "reference"
    again = owner.post("/collections/both/run/", {"metric": "edit-distance"}, follow=True)
    assert "scored before" in again.content.decode()


# Commands and API


def test_the_command_makes_and_reports(studies, capsys, tmp_path):
    call_command("collection", "create", "made", "one", "two", preset="directions")
    call_command("collection", "list")
    printed = capsys.readouterr().out
    assert "Collection made has 6 tasks." in printed
    assert "made: made, 6 tasks" in printed
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([{"study": "one", "statistic": "acc-eq", "weight": 2}]))
    call_command("collection", "create", "other", tasks=path)
    call_command("collection", "report", "other", format="csv", table="tasks")
    assert "acc-eq" in capsys.readouterr().out
    for wrong, message in (
        (("create", "made", "one"), "name a --preset"),
        (("create", "third", "none"), "no study 'none'"),
        (("report", "none"), "no collection 'none'"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command("collection", *wrong)
    path.write_text("{}")
    with pytest.raises(CommandError, match="expected a JSON list"):
        call_command("collection", "create", "fourth", tasks=path)


def test_the_api_makes_changes_reports_and_deletes(owner):
    json_type = {"content_type": "application/json"}
    task = {"study": "one", "statistic": "system-pairs", "question": {"humans": "in"}}
    given = {"slug": "mine", "title": "Mine", "draws": 100, "tasks": [task]}
    made = owner.post("/api/v1/collections/", given, **json_type)
    assert made.status_code == 201, made.content
    address = made.json()["url"].removeprefix("http://testserver")
    assert made.json()["tasks"][0]["question"] == {"humans": ["in"]}
    found = owner.get(f"{address}report/").json()
    assert found["content"]["tasks"][0]["statistic"] == "system-pairs"
    csv = owner.get(f"{address}report/?format=csv&table=systems")
    assert csv.content.startswith(b"system,column,weight,rank")
    unknown = owner.get(f"{address}report/?table=none")
    assert "there are metrics" in unknown.json()["detail"]
    changed = owner.patch(address, {"tasks": [{**task, "weight": 3}]}, **json_type)
    assert changed.json()["tasks"][0]["weight"] == 3
    refused = owner.patch(address, {"tasks": [{**task, "weight": 0}]}, **json_type)
    assert refused.status_code == 400
    assert "must be above 0" in str(refused.json())
    for draws in (5, 1_000_000):
        refused = owner.patch(address, {"draws": draws}, **json_type)
        assert refused.status_code == 400, draws
    assert owner.delete(address).status_code == 204
    assert owner.get(address).status_code == 404
