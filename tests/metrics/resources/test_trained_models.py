"""Training style models by job, command and page: stored once, found again, used by runs."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from corpus.jobs.worker import run_next
from corpus.models import AuditEntry, Study
from metrics.models import Metric, MetricRun, TrainedModel
from metrics.resources.style_training import StyleTraining, study_texts
from metrics.resources.trained_models import classifier, stored_classifier
from metrics.resources.training import ask_for_training
from metrics.styles.training import Recipe
from tests.fixtures.study_files import text_of, write_files
from tests.fixtures.style_texts import graded_reviews, reviews

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]
LABELLED = reviews(120)
CORPUS = [
    ["text", "style"],
    *([text, LABELLED.label(row)] for row, text in enumerate(LABELLED.texts)),
]


def opposite(text):
    return text.replace("was", "was not")


def study_files():
    """Sources of both styles with a reference each; two of them stand in the corpus."""
    found = reviews(40, seed=9)
    texts = [*LABELLED.texts[:2], *found.texts[2:]]
    styles = [found.label(row) for row in range(40)]
    other = {"negative": "positive", "positive": "negative"}
    segments = [["segment_id", "source", "source_style", "target_style", "reference_1"]]
    segments += [
        [f"s{n}", text, style, other[style], opposite(texts[n ^ 1]) + f" {n}"]
        for n, (text, style) in enumerate(zip(texts, styles, strict=True))
    ]
    outputs = [["segment_id", "system", "output"]]
    outputs += [[f"s{n}", "copy", text] for n, text in enumerate(texts[:-1])]
    return {"segments.csv": segments, "outputs.csv": [*outputs, ["s39", "copy", ""]]}


FILES = study_files()


@pytest.fixture
def corpus(tmp_path):
    return write_files(tmp_path / "corpus", {"reviews.csv": CORPUS}) / "reviews.csv"


def train(study, name="words", path="", **recipe):
    request = StyleTraining(name, Recipe("bag-of-words", {}, **recipe), str(path))
    job = ask_for_training(study, request, None)
    run_next()
    job.refresh_from_db()
    return job


def test_texts_of_the_study_are_left_out_and_the_quality_is_kept(study, corpus):
    job = train(study, path=corpus)
    assert job.state == "done", job.error
    model = TrainedModel.objects.get()
    assert job.result["link"] == reverse("study-style-model", args=["small", model.pk])
    assert "2 texts stand in the study and were left out." in job.result["notes"]
    assert model.report["left_out"]["of_the_study"] == 2
    assert model.report["trained_on"] + model.report["texts"] == 118
    assert model.report["accuracy"] > 0.9
    assert model.settings["held_out"] == 0.1
    assert (Path(settings.MEDIA_ROOT) / model.path / "manifest.json").exists()
    assert AuditEntry.objects.get(action="train style model").after["sha256"] == model.sha256


def test_own_labels_are_cross_fitted_and_every_output_is_scored_by_a_stranger(study):
    job = train(study, folds=4)
    assert job.state == "done", job.error
    model = TrainedModel.objects.get()
    stored = stored_classifier(model)
    assert stored.is_cross_fitted
    assert (model.report["trained_on"], model.settings["folds"]) == (80, 4)
    texts = study_texts(study)
    assert len(texts.texts) == 120
    fold_of = dict(stored.manifest["folds"])
    assert set(fold_of) == set(texts.segments)
    call_command("score", "small", "sti", "style-distribution", verbosity=0)
    run = MetricRun.objects.get(metric__name="style-distribution")
    assert run.fields == ["negative", "positive"]
    assert model.sha256 in json.dumps(run.versions)


def test_a_regressor_is_used_as_one_and_says_of_which_style_it_speaks(study, tmp_path):
    graded = graded_reviews(80)
    rows = [
        ["sentence", "grade"],
        *map(list, zip(graded.texts, graded.targets.tolist(), strict=True)),
    ]
    rows.append(["unrated", "None"])
    path = write_files(tmp_path / "graded", {"grades.csv": rows}) / "grades.csv"
    call_command(
        "train_style", str(path), "--study", "small", "--graded", "positive", "--name", "grades",
        "--text-column", "sentence", "--label-column", "grade", verbosity=0,
    )  # fmt: skip
    model = TrainedModel.objects.get()
    assert (model.is_graded, model.report["left_out"]["unlabelled"]) == (True, 1)
    call_command("score", "small", "style-score", "--classifier", "grades", verbosity=0)
    metric = Metric.objects.get(name="style-score")
    assert (metric.speaks_of, metric.midpoint) == ("positive", 0.0)
    with pytest.raises(CommandError, match="could not be scored"):
        call_command("score", "small", "sti", verbosity=0)


# The command


def test_a_model_of_no_study_is_shared_and_knows_no_text_of_any(study, corpus):
    call_command("train_style", str(corpus), "--name", "shared words", verbosity=0)
    model = TrainedModel.objects.get()
    assert (model.study, model.report["left_out"]["of_the_study"]) == (None, 2)
    assert classifier(study, "").name == "shared words"
    train(study, path=corpus)
    assert classifier(study, "").name == "words"  # A study's own goes first.
    assert classifier(study, model.sha256[:12]).sha256 == model.sha256


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.csv"], "nowhere.csv: there is no such file"),
        ([], "give a file of labelled texts, or a study that has labels"),
        (["--study", "none"], "no study 'none'; there are: small"),
        (["{corpus}", "--setting", "deep=1"], "no parameter 'deep'"),
        (["{corpus}", "--setting", "longest"], "expected NAME=VALUE"),
        (["{corpus}", "--setting", "longest=9"], "longest: found '9', expected a number from 1"),
        (["{corpus}", "--held-out", "2"], "held out: found 2.0"),
        (["{corpus}", "--label-column", "mood"], "cannot be read"),
        (["{corpus}", "--graded", "positive"], "cannot be read"),
    ],
)
def test_what_makes_no_sense_is_said(study, corpus, arguments, words):
    given = [each.format(corpus=corpus) for each in arguments]
    with pytest.raises(CommandError, match=words):
        call_command("train_style", *given, verbosity=0)
    assert not TrainedModel.objects.exists()


# The pages


def fields(**changes):
    return {
        "name": "words",
        "kind": "bag-of-words",
        "held_out": "0.1",
        "folds": "5",
        "seed": "0",
        **changes,
    }


def test_a_corpus_is_sent_trained_on_and_its_model_shown(client, owner, study):
    page = client.get("/studies/small/styles/models/train/")
    assert "40 negative" in page.text.replace("\xa0", " ") or "negative" in page.text
    sent = SimpleUploadedFile("reviews.csv", text_of(CORPUS))
    answer = client.post("/studies/small/styles/models/train/", fields(file=sent))
    assert answer.status_code == 302, answer.text
    job = run_next()
    assert job.state == "done", job.error
    assert "See the result" in client.get(answer.url).text
    text = client.get(job.result["link"]).text
    for words in (
        "Held-out accuracy",
        "Predicted positive",
        "Calibration",
        "Most confident errors",
        "of the study",
    ):
        assert words in text
    listed = client.get("/studies/small/styles/").text
    assert "words</a>" in listed
    assert "held-out accuracy" in listed


def test_a_model_of_another_study_is_not_shown(client, owner, study, corpus):
    other = Study.objects.create(slug="other")
    train(other, path=corpus)
    model = TrainedModel.objects.get()
    assert client.get(f"/studies/small/styles/models/{model.pk}/").status_code == 404
