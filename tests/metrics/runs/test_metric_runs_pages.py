"""Pages of metric runs, as a browser without scripts uses them."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.jobs.worker import run_next
from corpus.models import Job, Membership, Output
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from metrics.models import MetricRun, TrainedModel
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from metrics.scorers.registry import scorers
from tests.fixtures.html_forms import fields_of
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
METRICS = "/studies/small/metrics/"
SCORE = f"{METRICS}score/"


FILES = {name: TABLES[name] for name in ("segments.csv", "outputs.csv", "metric_scores.csv")}


@pytest.fixture(autouse=True)
def _lexicon(study, own) -> None:
    store_lexicon(study, "words", [LexiconEntry("writes", "formal", 1.0)])


@pytest.fixture
def owner(client, study):
    person = User.objects.create_user("owner")
    Membership.objects.create(study=study, user=person, role="owner")
    client.force_login(person)
    return person


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


def test_word_attributions_are_offered_where_a_transformer_was_trained(client, owner, study):
    assert "word attributions" not in client.get(SCORE).text
    TrainedModel.objects.create(
        study=study,
        name="tuned",
        kind="transformer",
        styles=["formal", "informal"],
        settings={},
        data_sha256="0" * 64,
        sha256="1" * 64,
        report={},
        path="nowhere",
    )
    fields = fields_of(client.get(SCORE).text, "against")
    assert (fields["by"], fields["attribution:threshold"]) == (["lexicon"], ["0.3"])
    values = {"text": "style_masked", "by": "attribution", "attribution__threshold": "0.2"}
    # What was chosen is looked for, and its files are not there.
    assert "counting was not scored" in send(client, "counting", **values).text


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


def test_a_failed_run_is_asked_for_again_from_its_page(client, owner, study):
    ask_for_runs(study, [RunRequest("broken")], None)
    run_next()
    run = MetricRun.objects.get(origin="computed")
    address = f"{METRICS}runs/{run.pk}/"
    page = client.get(address)
    assert "RuntimeError: out of order" in page.text
    assert "Score missing outputs" in page.text
    client.post(f"{address}score/")
    assert Job.objects.filter(kind="score").count() == 2


def test_researchers_look_and_start_nothing(client, owner, study):
    run = score(study, RunRequest("counting"))
    study.memberships.update(role="researcher")
    assert run.signature in client.get(METRICS).text
    assert client.get(f"{METRICS}runs/{run.pk}/").status_code == 200
    assert client.get(SCORE).status_code == 403
    assert client.post(SCORE, {"metric": "pair"}).status_code == 403
    assert client.post(f"{METRICS}runs/{run.pk}/score/").status_code == 403
    assert "Score</a>" not in client.get(METRICS).text


def test_a_run_of_another_study_is_not_shown(client, owner, study, tmp_path):
    other = import_path(
        write_files(tmp_path / "other", {"segments.csv": TABLES["segments.csv"]}), slug="other"
    ).study
    run = score(other, RunRequest("pair"))
    assert client.get(f"{METRICS}runs/{run.pk}/").status_code == 404


def test_queries_of_the_list_do_not_grow_with_runs(client, owner, study):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert client.get(METRICS).status_code == 200
        return len(captured)

    score(study, RunRequest("counting"), RunRequest("pair"))
    few = queries()
    score(study, *(RunRequest("counting", {"plus": n}) for n in range(1, 8)))
    assert queries() == few
