"""Metrics and metric runs through the API."""

import pytest

from corpus.jobs.worker import run_next
from corpus.models import Output
from metrics.models import MetricRun
from tests.fixtures.api_clients import API, client_of, every_row, is_error
from tests.fixtures.study_files import TABLES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own")]
RUNS = f"{API}studies/small/runs/"


FILES = {name: TABLES[name] for name in ("segments.csv", "outputs.csv", "metric_scores.csv")}


@pytest.fixture
def owner(study):
    return client_of("owner", study, "owner")


def ask(client, *runs):
    return client.post(RUNS, {"runs": list(runs)}, format="json")


def test_metrics_are_listed_with_all_that_they_declare(owner):
    metrics = {row["key"]: row for row in owner.get(f"{API}metrics/").json()}
    counting = metrics["counting"]
    assert counting["parameters"] == [
        {
            "name": "plus",
            "type": "integer",
            "default": 0,
            "help": "Added to every score.",
            "minimum": 0,
            "maximum": 9,
            "choices": [],
        }
    ]
    assert counting["comparisons"] == ["source", "reference", "references"]
    assert counting["statistics"] == ["characters", "texts"]
    assert metrics["pair"]["numbers"] == ["c", "w"]
    assert metrics["exact-match"]["is_default"] is True


def test_runs_are_asked_for_computed_and_found(owner):
    wanted = {"metric": "counting", "parameters": {"plus": "3"}, "against": "reference.2"}
    answer = ask(owner, wanted, {"metric": "pair"})
    assert answer.status_code == 202
    [job] = answer.json()["jobs"]
    assert [run["state"] for run in answer.json()["started"]] == ["waiting", "waiting"]
    assert {run["job"] for run in answer.json()["started"]} == {job["url"]}
    run_next()
    answer = ask(owner, wanted, {"metric": "pair"})
    assert answer.status_code == 200
    counting, pair = answer.json()["found"]
    assert answer.json()["started"] == answer.json()["jobs"] == []
    assert counting["request"]["parameters"] == {"plus": 3}
    assert counting["scored"] == Output.objects.count()
    assert counting["undefined"] > 0
    assert pair["names"] == ["pair-c", "pair-w"]
    scores = every_row(owner, f"{API}studies/small/scores/")
    mine = [row for row in scores if row["signature"] == counting["signature"]]
    assert len(mine) == counting["scored"]
    assert sum(row["values"]["score"] is None for row in mine) == counting["undefined"]
    reasons = {row["reasons"].get("score") for row in mine}
    assert reasons == {None, "this segment has no reference 2"}


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ({"metric": "absent"}, "absent: the weights are not installed: fetch them"),
        ({"metric": "counting", "parameters": {"plus": 10}}, "a number from 0 to 9"),
        ({"metric": "counting", "against": "reference.9"}, "cannot be compared with"),
        ({"metric": "counting", "text": {"kind": "style_masked"}}, "name a style lexicon"),
        ({"metric": "counting", "text": {"kind": "loud"}}, "is not a valid choice"),
        ({"parameters": {}}, "This field is required"),
    ],
)
def test_what_makes_no_sense_is_an_error_in_the_one_shape(owner, run, words):
    assert words in is_error(ask(owner, run), 400)["detail"]
    assert not MetricRun.objects.filter(origin="computed").exists()


def test_researchers_look_and_start_nothing(study, owner):
    ask(owner, {"metric": "pair"})
    run_next()
    reader = client_of("reader", study, "researcher")
    rows = every_row(reader, f"{RUNS}?limit=2")
    assert [row["origin"] for row in rows] == ["imported", "imported", "computed"]
    assert rows[-1]["state"] == "finished"
    is_error(ask(reader, {"metric": "pair"}), 403)
    is_error(ask(client_of("stranger"), {"metric": "pair"}), 404)
