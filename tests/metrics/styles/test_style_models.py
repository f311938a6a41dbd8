"""Kinds of style models: what they compute, and that they come back from disk as they were."""

import pickletools

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge

from metrics.scorers.scorer import Unavailable
from metrics.styles.cross_fitting import CrossFitted
from metrics.styles.evaluation import evaluate
from metrics.styles.kinds import KINDS
from metrics.styles.storage import StoredClassifier, save
from metrics.styles.training import Recipe, StudyTexts, train_on_study
from metrics.weights import minilm
from tests.fixtures.listed_places import listed
from tests.fixtures.style_texts import graded_reviews, reviews, silent, tiny_transformer, trained

NEW = ("the soup was great", "the soup was awful", "lovely menu", "rude waiter")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return listed(tiny_transformer(tmp_path_factory.mktemp("models") / "tiny"))


LEARNING = [name for name, kind in KINDS.items() if kind.learns]


def settings_of(kind, tiny):
    small = {"size": 16, "epochs": 6, "batch": 8, "rate": 2e-2}
    return {
        "transformer": {"model": tiny, "epochs": 6, "batch": 8, "rate": 5e-3},
        "lstm": {**small, "epochs": 10, "hidden": 16},
        "text-cnn": {**small, "epochs": 12, "filters": 32},
        "ngram-vectors": {"size": 16, "epochs": 20, "rate": 5e-2},
    }.get(kind, {})


@pytest.fixture(scope="module", params=LEARNING)
def model(request, tiny):
    """A classifier of each kind."""
    return trained(request.param, reviews(), **settings_of(request.param, tiny))


@pytest.fixture(scope="module", params=LEARNING)
def grader(request, tiny):
    """A regressor of each kind."""
    return trained(request.param, graded_reviews(), **settings_of(request.param, tiny))


def test_every_kind_learns_to_tell_styles_apart(model):
    predicted = model.predict(NEW)
    assert model.styles == ("negative", "positive")
    assert predicted.argmax(axis=1).tolist() == [1, 0, 1, 0]
    np.testing.assert_allclose(predicted.sum(axis=1), 1)
    others = reviews(40, seed=2)
    assert evaluate(others, model.predict(others.texts)).accuracy > 0.9


def test_every_kind_learns_grades(grader):
    predicted = grader.predict(NEW)
    assert (grader.styles, grader.is_graded, predicted.shape) == (("positive",), True, (4, 1))
    assert predicted[[0, 2]].min() > predicted[[1, 3]].max()
    assert -4 < predicted.min() < predicted.max() < 4


def comes_back(made, folder):
    sha256 = save(made, folder, {"data_sha256": "0" * 64})
    stored = StoredClassifier(folder)
    assert (stored.sha256, stored.styles) == (sha256, made.styles)
    assert stored.manifest["data_sha256"] == "0" * 64
    np.testing.assert_allclose(stored.predict(NEW), made.predict(NEW), rtol=1e-6, atol=1e-7)
    assert stored.models[0].sha256 == sha256
    assert stored.models[0].settings == made.settings


def test_a_classifier_comes_back_from_its_folder_as_it_was(model, tmp_path):
    comes_back(model, tmp_path / "model")


def test_a_regressor_comes_back_from_its_folder_as_it_was(grader, tmp_path):
    comes_back(grader, tmp_path / "model")


@pytest.mark.parametrize("kind", LEARNING)
def test_the_same_texts_settings_and_seed_give_the_same_model(kind, tiny):
    settings = settings_of(kind, tiny)
    settings |= {"epochs": 1} if "epochs" in settings else {}
    once, again = (trained(kind, reviews(24), **settings) for _ in range(2))
    other = trained(kind, reviews(26), **settings)
    assert once.sha256 == again.sha256 != other.sha256


def test_no_file_of_a_model_is_a_pickle(model, tmp_path):
    save(model, tmp_path / "model")
    files = [path for path in (tmp_path / "model").rglob("*") if path.is_file()]
    assert {path.suffix for path in files} <= {".json", ".npz", ".safetensors", ".txt"}
    for path in files:
        with pytest.raises(ValueError, match=r"."):
            list(pickletools.genops(path.read_bytes()))


def test_a_fine_tuned_folder_is_one_that_transformers_loads(tiny, tmp_path):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = trained("transformer", reviews(24), model=tiny, epochs=1)
    save(model, tmp_path / "model")
    network = AutoModelForSequenceClassification.from_pretrained(tmp_path / "model").eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "model")
    assert network.config.id2label == {0: "negative", 1: "positive"}
    with torch.inference_mode():
        for text, predicted in zip(NEW, model.predict(NEW), strict=True):
            logits = network(**tokenizer(text, return_tensors="pt")).logits[0].double()
            np.testing.assert_allclose(torch.softmax(logits, 0), predicted, atol=1e-6)


@pytest.mark.parametrize("graded", [False, True])
def test_a_bag_of_words_is_that_of_scikit_learn(graded):
    labelled = graded_reviews() if graded else reviews()
    model = trained("bag-of-words", labelled)
    vectorizer = TfidfVectorizer(token_pattern=r"\w+|[^\w\s]", ngram_range=(1, 2), min_df=2)
    features = vectorizer.fit_transform(labelled.texts)
    new = vectorizer.transform(NEW)
    if graded:
        expected = Ridge(alpha=1 / 3).fit(features, labelled.targets).predict(new)[:, None]
    else:
        logistic = LogisticRegression(C=3, max_iter=1000).fit(features, labelled.columns)
        expected = logistic.predict_proba(new)
    np.testing.assert_allclose(model.predict(NEW), expected, atol=1e-3)
    assert list(model.vocabulary) == vectorizer.get_feature_names_out().tolist()


def test_embeddings_are_those_of_the_library_under_a_logistic_regression():
    from sentence_transformers import SentenceTransformer

    labelled = reviews(40)
    encoder = SentenceTransformer(str(minilm.folder()), device="cpu")
    features = encoder.encode(list(labelled.texts)).astype(float)
    logistic = LogisticRegression(C=1, max_iter=1000).fit(features, labelled.columns)
    expected = logistic.predict_proba(encoder.encode(list(NEW)).astype(float))
    np.testing.assert_allclose(trained("embeddings", labelled).predict(NEW), expected, atol=1e-4)


def test_damage_is_noticed_before_anything_is_predicted(tmp_path):
    save(trained("bag-of-words", reviews(24)), tmp_path / "model")
    weights = tmp_path / "model" / "weights.npz"
    content = bytearray(weights.read_bytes())
    content[len(content) // 2] ^= 1
    weights.write_bytes(content)
    with pytest.raises(Unavailable, match=r"damaged \(weights.npz has changed\)"):
        StoredClassifier(tmp_path / "model").predict(NEW)
    weights.unlink()
    with pytest.raises(Unavailable, match=r"weights.npz is lacking"):
        StoredClassifier(tmp_path / "model").predict(NEW)
    with pytest.raises(Unavailable, match="train it again, or restore"):
        StoredClassifier(tmp_path / "elsewhere")


def test_a_study_model_is_cross_fitted_and_comes_back(tmp_path):
    found = reviews(120)
    styles = [found.label(row) for row in range(120)]
    study = StudyTexts(
        [row // 2 for row in range(120)] + list(range(60)),
        [*found.texts, *(f"an output of {row}" for row in range(60))],
        [*styles, *[""] * 60],
    )
    result = train_on_study(study, Recipe("bag-of-words", {}, folds=4), silent)
    assert isinstance(result.model, CrossFitted)
    assert (result.quality.texts, result.trained_on) == (120, 120)
    assert result.quality.accuracy > 0.9
    sha256 = save(result.model, tmp_path / "model")
    stored = StoredClassifier(tmp_path / "model")
    assert (stored.sha256, stored.is_cross_fitted, len(stored.models)) == (sha256, True, 4)
    segments = list(study.segments[:120])
    predicted = stored.predict(found.texts, segments)
    np.testing.assert_allclose(predicted, result.model.predict(found.texts, segments))
    assert evaluate(found, predicted).accuracy == result.quality.accuracy
