"""Metric runs by pages and by the API."""

import re

import pytest

from corpus.jobs.worker import run_next
from corpus.models import Job, Output
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from metrics.models import MetricRun
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from metrics.scorers.registry import scorers
from tests.fixtures.api_clients import API, client_of, every_row, is_error
from tests.fixtures.html_forms import fields_of
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own")]
RUNS = f"{API}studies/small/runs/"


@pytest.fixture
def programs(study):
    return client_of("owner", study, "owner")


def ask(programs, *runs):
    return programs.post(RUNS, {"runs": list(runs)}, format="json")


def test_metrics_are_listed_with_all_that_they_declare(programs):
    metrics = {row["key"]: row for row in programs.get(f"{API}metrics/").json()}
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


def test_runs_are_asked_for_computed_and_found(programs):
    wanted = {"metric": "counting", "parameters": {"plus": "3"}, "against": "reference.2"}
    answer = ask(programs, wanted, {"metric": "pair"})
    assert answer.status_code == 202
    [job] = answer.json()["jobs"]
    assert [run["state"] for run in answer.json()["started"]] == ["waiting", "waiting"]
    assert {run["job"] for run in answer.json()["started"]} == {job["url"]}
    run_next()
    answer = ask(programs, wanted, {"metric": "pair"})
    assert answer.status_code == 200
    counting, pair = answer.json()["found"]
    assert answer.json()["started"] == answer.json()["jobs"] == []
    assert counting["request"]["parameters"] == {"plus": 3}
    assert counting["scored"] == Output.objects.count()
    assert counting["undefined"] > 0
    assert pair["names"] == ["pair-c", "pair-w"]
    scores = every_row(programs, f"{API}studies/small/scores/")
    mine = [row for row in scores if row["signature"] == counting["signature"]]
    assert len(mine) == counting["scored"]
    assert sum(row["values"]["score"] is None for row in mine) == counting["undefined"]
    reasons = {row["reasons"].get("score") for row in mine}
    assert reasons == {None, "this segment has no reference 2"}


def test_by_the_api_researchers_look_and_start_nothing(study, programs):
    ask(programs, {"metric": "pair"})
    run_next()
    reader = client_of("reader", study, "researcher")
    rows = every_row(reader, f"{RUNS}?limit=2")
    assert [row["origin"] for row in rows] == ["imported", "imported", "computed"]
    assert rows[-1]["state"] == "finished"
    is_error(ask(reader, {"metric": "pair"}), 403)
    is_error(ask(client_of("stranger"), {"metric": "pair"}), 404)


METRICS = "/studies/small/metrics/"
SCORE = f"{METRICS}score/"


FILES = {name: TABLES[name] for name in ("segments.csv", "outputs.csv", "metric_scores.csv")}


@pytest.fixture
def owner(owner, study):
    store_lexicon(study, "words", [LexiconEntry("writes", "formal", 1.0)])
    return owner


def send(client, *metrics, **values):
    """Fill in the score page and send it."""
    fields = fields_of(client.get(SCORE).text, "against")
    fields |= {name.replace("__", ":"): [str(value)] for name, value in values.items()}
    return client.post(SCORE, fields | {"metric": list(metrics)}, follow=True)


def score(study, *requests):
    ask_for_runs(study, requests, None)
    assert run_next().state == "done"
    return MetricRun.objects.filter(origin="computed").latest("pk")


def test_the_form_offers_metrics_by_aspect_and_ticks_the_default_ones(client, owner):
    text = client.get(SCORE).text
    defaults = [key for key, scorer in scorers().items() if scorer.spec.is_default]
    assert set(fields_of(text, "against")["metric"]) == set(defaults)
    assert "exact-match" in defaults
    assert text.index("<legend>Content") < text.index("metric-counting")
    assert "Not available: the weights are not installed: fetch them." in text
    assert re.search(r'value="absent"[^>]* disabled', text)
    for choice in ("the source", "reference 2", "all references at once", "style words masked"):
        assert choice in text


def test_what_is_chosen_is_scored_by_a_job_and_shown(client, owner):
    values = {"against": "reference.2", "counting__plus": 4}
    page = send(client, "counting", "pair", **values)
    job = Job.objects.get(kind="score")
    assert page.redirect_chain[-1][0] == f"/jobs/{job.pk}/"
    assert job.created_by == owner
    assert ">waiting</a>" in client.get(METRICS).text
    run_next()
    done = client.get(f"/jobs/{job.pk}/").text
    assert f'href="{METRICS}">See the metrics</a>' in done
    text = client.get(METRICS).text
    run = MetricRun.objects.get(metric__name="counting")
    assert run.signature.startswith("counting|against:reference.2|text:plain|plus:4|")
    assert run.signature in text
    assert "pair-c, pair-w" in text
    assert MetricRun.objects.get(metric__name="pair").compared_to == ""


@pytest.mark.parametrize(
    ("metrics", "values", "words"),
    [
        ((), {}, "Choose a metric."),
        (("nothing",), {}, "There is no metric &#x27;nothing&#x27;."),
        (("counting",), {"counting__plus": "10"}, "expected a number from 0 to 9"),
        (("counting",), {"against": "reference.7"}, "Select a valid choice"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_started(client, owner, metrics, values, words):
    page = send(client, *metrics, **values)
    assert page.status_code == 400
    assert words in page.text
    assert not Job.objects.filter(kind="score").exists()


def test_a_run_shows_its_facts_its_numbers_by_system_and_what_is_undefined(client, owner, study):
    run = score(study, RunRequest("counting", {"plus": 2}, "reference.2"))
    text = client.get(f"{METRICS}runs/{run.pk}/").text
    assert "Characters of the output less those of what it is compared with." in text
    assert "this segment has no reference 2" in text
    outputs = list(Output.objects.filter(system__name="BART", segment__key="s1"))
    [bart] = outputs
    mean = len(bart.text) - len("I shall be late.") + 2
    corpus = sum(len(o.text) for o in outputs) / len(outputs)
    row = re.search(r'<th scope="row" class="name">BART</th>(.*?)</tr>', text, re.DOTALL)[1]
    numbers = re.findall(r'class="number">([^<]*)<', row)
    assert numbers[:2] == ["4", "3"]
    assert float(numbers[2].replace("−", "-")) == mean
    assert float(numbers[-1]) == corpus


def test_a_run_of_another_study_is_not_shown(client, owner, study, tmp_path):
    other = import_path(
        write_files(tmp_path / "other", {"segments.csv": TABLES["segments.csv"]}), slug="other"
    ).study
    run = score(other, RunRequest("pair"))
    assert client.get(f"{METRICS}runs/{run.pk}/").status_code == 404
