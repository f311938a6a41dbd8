"""A metric learned from ratings: from files to the page, the stored metric and other studies."""

import json

import numpy as np
import pytest
from django.core.management import call_command

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Job, Output, Study
from metrics.models import MetricRun
from metrics.runs.packed_scores import load_scores
from metrics.scorers.learned import segment_fold, system_folds
from tests.fixtures.report_pages import open_page, reader, tables, words
from tests.fixtures.running_jobs import run_by_id
from tests.fixtures.study_files import imported_study

pytestmark = pytest.mark.django_db
SEGMENTS, SYSTEMS = 50, ("a", "b", "c", "d", "e", "f")
METRICS = {"sharp": 0.9, "blunt": 0.4, "noise": 0.0}
"""How much of the ratings each metric sees."""
ASKED = Question(resamples=100)


def made():
    generator = np.random.default_rng(11)
    truth = generator.normal(size=(2, SEGMENTS, len(SYSTEMS)))
    rated = truth[0] + truth[1] + generator.normal(0, 0.4, truth[0].shape)
    scores = {
        "sharp": 3 * truth[0] + generator.normal(0, 0.5, rated.shape),
        "blunt": -(truth[1] + generator.normal(0, 1, rated.shape)),
        "noise": generator.normal(size=rated.shape),
    }
    return rated, scores


@pytest.fixture(scope="module")
def given():
    return made()


def import_study(folder, slug, given, *, rated=True):
    ratings, scores = given
    cells = [(n, place) for n in range(SEGMENTS) for place in range(len(SYSTEMS))]
    files = {
        "outputs.csv": [
            ["segment_id", "source", "system", "output"],
            *([f"s{n}", f"source {n}", SYSTEMS[p], f"{SYSTEMS[p]} {n}"] for n, p in cells),
        ],
        "study.json": {
            "metrics": {
                name: {"orientation": "lower" if name == "blunt" else "higher"} for name in scores
            }
        },
        "metric_scores.csv": [
            ["segment_id", "system", "metric", "score"],
            *(
                [f"s{n}", SYSTEMS[p], name, repr(float(values[n, p]))]
                for name, values in scores.items()
                for n, p in cells
            ),
        ],
    }
    if rated:
        files["ratings.csv"] = [
            ["segment_id", "system", "rater", "aspect", "score"],
            *(
                [f"s{n}", SYSTEMS[p], "ann", "quality", repr(float(ratings[n, p]))]
                for n, p in cells
            ),
        ]
    return imported_study(folder / slug, files, slug)


@pytest.fixture
def study(tmp_path, given) -> Study:
    matrices.forget()
    yield import_study(tmp_path, "small", given)
    matrices.forget()


def by_cell(run: MetricRun) -> np.ndarray:
    rows = list(
        Output.objects.filter(study=run.study)
        .order_by("ordinal")
        .values_list("segment__key", "system__name")
    )
    values = load_scores(run.pk, outputs=len(rows), fields=1)[:, 0]
    found = dict(zip(rows, values, strict=True))
    return np.array([[found[f"s{n}", name] for name in SYSTEMS] for n in range(SEGMENTS)])


def test_the_page_compares_learned_weights_with_simpler_ones(study):
    page = open_page(reader("ria", "small"), "/studies/small/learned-metric/?resamples=100")
    table = tables(page)["Learned weights and simpler metrics on unseen outputs"]
    shown = {cells[0].text: cells for _, cells in table.rows}
    assert list(shown) == ["Learned weights", "Best single metric", "Equal weights"]
    said = words(page)
    assert "on segments and systems that they were not fitted to" in said
    assert "That is more than the metric that correlates best in the training data" in said
    weights = tables(page)["Weights of metrics"]
    assert {cells[0].text for _, cells in weights.rows} == set(METRICS)
    assert "Store as metric" not in said, "a reader stores nothing"


def test_the_stored_metric_has_the_scores_that_the_report_evaluated(study, given):
    content = report(study, "learned-metric", ASKED)["content"]
    learned = content["contenders"][0]["correlation"]
    client = reader("ria", "small")
    address = "/studies/small/learned-metric/store/?resamples=100"
    assert client.post(address).status_code == 403
    study.memberships.filter(user__username="ria").update(role="owner")
    assert "Store as metric" in words(
        open_page(client, "/studies/small/learned-metric/?resamples=100")
    )
    answer = client.post(address)
    assert answer.status_code == 302
    run_by_id(Job.objects.latest("pk").pk)
    run = MetricRun.objects.get(study=study, metric__name="learned-metric")
    assert run.content_sha256, run.error
    stored, (rated, scores) = by_cell(run), given
    assert np.corrcoef(stored.ravel(), rated.ravel())[0, 1] == pytest.approx(learned["value"])

    # Written out: the weights of each cell's block, which saw neither its segment nor its system.
    seed = Question().seed
    folds = system_folds(SYSTEMS, seed)
    oriented = np.array([scores["sharp"], -scores["blunt"], scores["noise"]])
    order = [row["metric"] for row in content["rows"]]
    oriented = oriented[[("sharp", "blunt", "noise").index(name) for name in order]]
    means = oriented.mean(axis=(1, 2), keepdims=True)
    standardised = (oriented - means) / oriented.std(axis=(1, 2), keepdims=True)
    weights = json.loads(content["weights"]["out-of-fold"])["folds"]
    for n in range(0, SEGMENTS, 7):
        for place, name in enumerate(SYSTEMS):
            own = weights[segment_fold(f"s{n}", seed)][folds[name]]
            assert stored[n, place] == pytest.approx(own @ standardised[:, n, place], abs=1e-6)

    # Other reports read it like any metric; learning passes it over.
    again = report(study, "learned-metric", ASKED)["content"]
    left = {each["metric"]: each["reason"] for each in again["left_out"]}
    assert left == {"learned-metric": "it was learned from ratings itself"}
    read = report(study, "correlation", Question(metric=("learned-metric",), resamples=100))
    assert read["content"]["rows"]
    assert "Stored already" in words(open_page(client, client.post(address)["Location"]))


def test_another_study_is_scored_by_the_fit_to_all_ratings(study, given, tmp_path, capsys):
    other = import_study(tmp_path, "other", given, rated=False)
    call_command("learn_metric", "small", "--into", "other", "--resamples", "100")
    said = capsys.readouterr().out
    assert said.startswith("scored: learned-metric/")
    assert "use=full-fit" in said
    run = MetricRun.objects.get(study=other, metric__name="learned-metric")
    fitted_to = run.request["parameters"]["fitted_to"]
    assert fitted_to.startswith("overall of small, ratings ")
    content = report(study, "learned-metric", ASKED)["content"]
    share = {row["metric"]: row["weight"]["value"] for row in content["rows"]}
    _, scores = given
    expected = sum(
        share[name] * sign * (scores[name] - scores[name].mean()) / scores[name].std()
        for name, sign in (("sharp", 1), ("blunt", -1), ("noise", 1))
    )
    assert by_cell(run) == pytest.approx(expected, abs=1e-6)
    call_command("learn_metric", "small", "--into", "other", "--resamples", "100")
    assert capsys.readouterr().out.startswith("found: learned-metric/")
