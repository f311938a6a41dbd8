"""A classifier that others trained serves every style metric, once its quality is known here."""

import json

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from metrics.language_models import sequence_classifier
from metrics.models import MetricRun, TrainedModel
from metrics.resources.trained_models import classifier, folder_of
from metrics.runs.packed_scores import load_scores
from metrics.scorers.scorer import Unavailable
from tests.fixtures.listed_places import listed
from tests.fixtures.style_texts import reviews, trained
from tests.fixtures.tiny_classifiers import save_classifier

pytestmark = pytest.mark.usefixtures("own_files")
STAR_CLASSES = ("LABEL_0", "LABEL_1", "LABEL_2")
CLASSES = "LABEL_0=negative, 1=negative, LABEL_2=positive"


@pytest.fixture(scope="module")
def stars(tmp_path_factory):
    folder = tmp_path_factory.mktemp("classifiers") / "stars"
    return save_classifier(folder, styles=STAR_CLASSES, positions=16)


@pytest.fixture
def name(stars):
    return listed(stars)


def test_its_probabilities_are_those_of_transformers_added_up_by_style(name):
    labelled = reviews(20)
    model = trained("ready-made", labelled, model=name, classes=CLASSES)
    assert model.styles == ("negative", "positive")
    texts = ["the food was great", "the service was not good !", "so good"]
    expected = sequence_classifier.load(name).predict(texts)
    np.testing.assert_allclose(
        model.predict(texts), np.stack([expected[:, :2].sum(axis=1), expected[:, 2]], axis=1)
    )
    # What is too long is read as far as the classifier can.
    long = model.predict(["great " * 40, "great " * 14, "\ud800"])
    assert np.isfinite(long).all()
    np.testing.assert_array_equal(long[0], long[1])


@pytest.mark.parametrize(
    ("classes", "words"),
    [
        ("", "the texts have the style 'negative', and the classifier knows LABEL_0"),
        ("LABEL_0=negative", "say which style LABEL_1, LABEL_2 stands for"),
        ("other=negative", "found 'other=negative', expected CLASS=STYLE with one of LABEL_0"),
        ("LABEL_0=a, LABEL_1=a, LABEL_2=b", "and the classifier knows a, b"),
    ],
)
def test_classes_that_stand_for_no_style_are_refused(name, classes, words):
    with pytest.raises(ValueError, match=words):
        trained("ready-made", reviews(20), model=name, classes=classes)


def study_files():
    found = reviews(24)
    other = {"negative": "positive", "positive": "negative"}
    segments = [["segment_id", "source", "source_style", "target_style"]]
    outputs = [["segment_id", "system", "output"]]
    for row, text in enumerate(found.texts):
        style = found.label(row)
        segments.append([f"s{row}", text, style, other[style]])
        outputs.append([f"s{row}", "copy", text])
    return {"segments.csv": segments, "outputs.csv": outputs}


FILES = study_files()


def test_a_registered_one_scores_every_style_metric(study, name, capsys):
    call_command(
        "train_style", study="small", kind="ready-made", name="stars",
        setting=[f"model={name}", f"classes={CLASSES}"],
    )  # fmt: skip
    assert "stars: held-out accuracy" in capsys.readouterr().out
    model = TrainedModel.objects.get()
    assert (model.report["trained_on"], model.report["texts"]) == (0, 24)
    assert model.settings == {"model": name, "classes": CLASSES, "seed": 0}
    keys = ("sti", "style-accuracy", "target-style-probability", "transfer-needed")
    call_command("score", "small", *keys, classifier="stars", verbosity=0)
    texts = [output.text for output in study.outputs.order_by("ordinal")]
    predicted = trained("ready-made", reviews(20), model=name, classes=CLASSES).predict(texts)
    run = MetricRun.objects.get(metric__name="target-style-probability")
    assert model.sha256 in json.dumps(run.versions)
    for output, value, row in zip(
        study.outputs.order_by("ordinal").select_related("segment"),
        load_scores(run.pk, outputs=study.outputs.count(), fields=1)[:, 0],
        predicted,
        strict=True,
    ):
        assert value == row[model.styles.index(output.segment.target_style)]
    assert MetricRun.objects.count() == len(keys)


def test_another_file_under_the_same_name_is_noticed(study, tmp_path, monkeypatch):
    name = listed(save_classifier(tmp_path / "other", styles=("negative", "positive")))
    call_command(
        "train_style", study="small", kind="ready-made", name="plain", setting=[f"model={name}"],
        verbosity=0,
    )  # fmt: skip
    (folder := folder_of(TrainedModel.objects.get())).joinpath("files.json")
    assert [path.name for path in sorted(folder.iterdir())] == ["files.json", "manifest.json"]
    save_classifier(tmp_path / "other", styles=("negative", "positive"), seed=1)
    with pytest.raises(Unavailable, match="has other files than when it was registered"):
        classifier(study, "plain").model.predict(["good"])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ([], "choose a classifier; the administrator lists sequence classifiers"),
        (["model=/srv/any"], "the administrator lists names in TOUCHSTONE_MODELS"),
    ],
)
def test_only_listed_folders_are_taken(study, settings, words):
    with pytest.raises(CommandError, match=words):
        call_command(
            "train_style", study="small", kind="ready-made", name="x", setting=settings, verbosity=0
        )
