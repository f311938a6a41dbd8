"""How good a style model is stands wherever its scores do."""

import json

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from metrics.runs.requests import RunRequest
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.rated_reviews import with_words
from tests.fixtures.report_pages import open_page, words
from tests.fixtures.running_jobs import scored_runs

pytestmark = pytest.mark.django_db
prepare = with_words


@pytest.fixture(autouse=True)
def _no_matrices(one_thread):
    matrices.forget()
    yield
    matrices.forget()


@pytest.fixture
def model(study):
    """A model that is right in 7 of 8 held-out texts, as far as its report says."""
    model = study.trained_models.get()
    model.report |= {"accuracy": 0.875, "texts": 1600}
    model.save(update_fields=["report"])
    return model


@pytest.fixture
def client(study):
    return signed_in("owner", study)


def of_model(rows, metric):
    [row] = {json.dumps(r.get("trained")) for r in rows if r["metric"] == metric}
    return json.loads(row)


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("comparison", "metrics"),
        *(
            pytest.param(*each, marks=pytest.mark.nightly)
            for each in (("correlation", "rows"), ("accuracy", "rows"), ("scores", "columns"))
        ),
    ],
)
def test_each_report_says_how_good_the_classifier_of_a_metric_is(study, model, client, kind, part):
    scored_runs(study, RunRequest("sti"), RunRequest("length-ratio", against="source"))
    study.refresh_from_db()
    asked = Question(metric=("sti", "length-ratio"))
    rows = report(study, kind, asked)["content"][part]
    quality = "held-out accuracy 87.5 % on 1,600 texts"
    expected = [{"name": "words", "quality": quality, "model": model.pk}]
    assert of_model(rows, "sti") == expected
    assert of_model(rows, "length-ratio") is None
    page = open_page(client, f"/studies/small/{kind}/?metric=sti&metric=length-ratio")
    assert words(page).count(quality) == 1
    links = [link for link in page.iter("a") if link.text == "words"]
    assert [link.get("href") for link in links] == [f"/studies/small/styles/models/{model.pk}/"]
