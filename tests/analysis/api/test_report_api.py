"""Reports through the API: the pages' filter and numbers, for programs."""

from dataclasses import fields

import pytest
from rest_framework.test import APIClient

from analysis.filter.question import CHOICES, Question
from analysis.reports import service
from analysis.reports.service import document, report
from corpus.jobs.worker import run_next
from tests.fixtures.api_clients import API, client_of, is_error

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
REPORTS = f"{API}studies/formality-demo/reports/"


@pytest.fixture
def client(study):
    return client_of("ada", study, "researcher")


@pytest.mark.parametrize("kind", ["agreement", "replication"])
def test_a_report_is_what_the_page_shows(client, study, kind):
    answer = client.get(f"{REPORTS}{kind}/")
    assert answer.status_code == 200
    assert answer.json() == report(study, kind, Question())
    assert answer.json()["simulated"] is True


def test_the_filter_is_that_of_the_pages(client, study):
    query = "?aspect=style&statistic=spearman&leave_out=careful&leave_out=plain&humans=in"
    asked = Question(
        aspect="style", statistic="spearman", leave_out=("careful", "plain"), humans="in"
    )
    answer = client.get(f"{REPORTS}correlation/{query}").json()
    assert answer == report(study, "correlation", asked)
    assert answer["question"]["leave_out"] == ["careful", "plain"]


def test_all_reports_come_in_one_document(client, study):
    answer = client.get(REPORTS)
    assert answer.status_code == 200
    assert answer.json() == document(study, Question())
    assert set(answer.json()["reports"]) == {"agreement", "ranking", "correlation"}


@pytest.mark.parametrize("address", [REPORTS, f"{REPORTS}correlation/"])
def test_the_guard_is_the_same_as_everywhere(address):
    is_error(APIClient().get(address), 401)
    is_error(client_of("stranger").get(address), 404)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("metrik=bleu", "metrik: no such filter; known: aspect, metric"),
        ("aspect=taste", "aspect=taste: this study has style, content"),
        ("bars=pearson", "bars: no such filter"),
    ],
)
@pytest.mark.parametrize("address", [REPORTS, f"{REPORTS}correlation/"])
def test_what_cannot_be_answered_is_refused_with_what_can(client, address, query, message):
    assert is_error(client.get(f"{address}?{query}"), 400)["detail"].startswith(message)


def test_a_long_report_is_a_job_until_it_is_done(client, study, monkeypatch):
    monkeypatch.setattr(service, "QUICK", 0)
    address = f"{REPORTS}correlation/?aspect=fluency&statistic=kendall-tau-b"
    answer = client.get(address)
    assert answer.status_code == 202
    (job,) = answer.json()["jobs"]
    assert (job["kind"], job["state"], job["study"]) == ("report", "queued", "formality-demo")
    assert answer["Location"] == job["url"]
    assert client.get(job["url"]).json() == job
    assert run_next().state == "done"
    assert client.get(address).json()["question"]["statistic"] == "kendall-tau-b"


def test_the_schema_describes_every_part_of_the_filter():
    from drf_spectacular.generators import SchemaGenerator

    schema = SchemaGenerator().get_schema(request=None, public=True)
    for address in ("reports/", "reports/{kind}/"):
        operation = schema["paths"][f"{API}studies/{{slug}}/{address}"]["get"]
        parameters = {p["name"]: p for p in operation["parameters"] if p["in"] == "query"}
        assert set(parameters) == {
            *(field.name for field in fields(Question)),
            *("format", "table", "marks"),
        }
        for name, parameter in parameters.items():
            assert parameter["description"], name
            assert not parameter.get("required")
            if name in CHOICES:
                assert set(map(str, parameter["schema"]["enum"])) == set(CHOICES[name])
        assert {"200", "202", "400", "401", "404", "409"} <= set(operation["responses"])


def test_each_part_that_is_listed_is_there(client):
    parts = client.get(f"{REPORTS}correlation/parts/", {"aspect": "content"}).json()
    assert {"headline", "segment-level"} & {each["name"] for each in parts["tables"]}
    assert len(parts["charts"]) > 1
    assert parts["verdict"]
    for each in parts["tables"]:
        table = client.get(each["url"]).json()
        assert table["name"] == each["name"]
        assert table["columns"]
    for each in parts["charts"]:
        assert client.get(each["url"]).json()["$schema"].endswith("vega-lite/v6.json")
