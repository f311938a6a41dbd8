"""Every text has the same numbers to the last bit beside whatever other texts."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.sparse import csr_array

import config
from metrics.attribution.classifier import TransformerClassifier
from metrics.attribution.integrated_gradients import integrated_gradients
from metrics.encoders.stored_vectors import StoredVectors, VectorCache
from metrics.language_models.causal import load as load_causal_model
from metrics.language_models.sequence_classifier import load as load_sequence_classifier
from metrics.scorers.combination import KINDS, combine
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts
from metrics.styles.kinds import kind_of
from metrics.styles.linear import LinearHead
from metrics.styles.transformer import Transformer
from tests.fixtures.by_night import by_night
from tests.fixtures.listed_places import listed
from tests.fixtures.machine import ROOT, missing
from tests.fixtures.metric_groups import EMBEDDED
from tests.fixtures.style_texts import reviews, silent
from tests.fixtures.tiny_classifiers import STYLES, save_classifier
from tests.fixtures.tiny_models import save_causal_model, save_sequence_classifier

Rows = Sequence[int]
TEXT = "the food was good and staff were kind but never again so slow we left 😀 unheard"


def drawn(count, seed, longest=40):
    draw = random.Random(seed)
    return [" ".join(draw.choices(TEXT.split(), k=draw.randint(1, longest))) for _ in range(count)]


def assert_each_is_as_among_all(scores, count):
    """Score rows all together, then in groups of every size, in another order."""
    together = np.asarray(scores(range(count)))
    assert np.ptp(together) > 0
    order = random.Random(3).sample(range(count), count)
    while order:
        group = order[: max(1, len(order) // 3)]
        order = order[len(group) :]
        np.testing.assert_array_equal(np.asarray(scores(group)), together[list(group)])


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch):
    monkeypatch.setattr(VectorCache, "keep", lambda *_: None)
    monkeypatch.setattr(StoredVectors, "keep", lambda *_: None)


@pytest.mark.parametrize("key", by_night(EMBEDDED, "cps", "wmd"))
def test_metrics_of_embeddings(key):
    outputs, against = drawn(36, seed=1), drawn(36, seed=2)
    scorer = scorer_class(key)()

    def scores(rows):
        texts = Texts.of([outputs[row] for row in rows], [against[row] for row in rows])
        return scorer.score(texts).values

    assert_each_is_as_among_all(scores, 36)


def test_likelihoods_under_a_language_model(tmp_path):
    texts = drawn(36, seed=1)
    model = load_causal_model(listed(save_causal_model(tmp_path)), 64, None)

    def scores(rows):
        model._known.clear()
        return model.negative_log_likelihood([texts[row] for row in rows])[0]

    assert_each_is_as_among_all(scores, 36)


def test_classes_of_a_listed_classifier(tmp_path):
    texts = drawn(36, seed=1)
    folder = save_sequence_classifier(tmp_path, ["no", "yes"], positions=512)
    model = load_sequence_classifier(listed(folder))
    assert_each_is_as_among_all(lambda rows: model.predict([texts[row] for row in rows]), 36)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("functions", [1, 3, 5])
def test_linear_heads_on_features(kind, functions):
    draw = np.random.default_rng(1)
    features = draw.normal(size=(120, 384)) * (draw.random((120, 384)) < 0.3)
    given = csr_array(features) if kind == "sparse" else features
    head = LinearHead(
        draw.normal(size=(functions, 384)), draw.normal(size=functions), functions == 1
    )
    for seed in range(20):
        rows = random.Random(seed).sample(range(120), 120)
        assert_each_is_as_among_all(
            lambda some, r=rows: head.predict(given[[r[n] for n in some]]), 120
        )


@pytest.mark.parametrize("kind", KINDS)
def test_means_of_several_scores(kind):
    scores = np.random.default_rng(1).random((400, 6))
    weights = [0.3, 0.1, 0.7, 0.2, 0.9, 0.4]
    for seed in range(20):
        mixed = scores[random.Random(seed).sample(range(400), 400)]
        assert_each_is_as_among_all(
            lambda some, m=mixed: combine(m[list(some)], weights, kind), 400
        )


def test_styles_of_a_trained_transformer_and_what_speaks_for_them(tmp_path):
    texts = drawn(24, seed=1, longest=12)
    folder = save_classifier(tmp_path)
    model = Transformer.read(folder, STYLES, {"tokens": 64})
    assert_each_is_as_among_all(lambda rows: model.predict([texts[row] for row in rows]), 24)

    classifier = TransformerClassifier(folder)

    def attributed(rows):
        found = integrated_gradients(classifier, [texts[row] for row in rows], [0] * len(rows))
        return [(each.pieces["value"].sum(), each.baseline_logit) for each in found]

    assert_each_is_as_among_all(attributed, 24)


@pytest.mark.parametrize("size", [7, 16])
@pytest.mark.parametrize("name", ["lstm", "text-cnn", "ngram-vectors"])
def test_styles_of_small_networks(name, size):
    # Narrow layers, whose products by BLAS depend on a row's place in its batch.
    kind = kind_of(name)
    own = {"lstm": "hidden", "text-cnn": "filters"}.get(name, "size")
    model = kind.train(
        reviews(20), kind.read_settings({"size": size, own: size, "epochs": 1}), 0, silent
    )
    texts = [f"{text} the food was great" for text in drawn(60, seed=1)]
    assert_each_is_as_among_all(lambda rows: model.predict([texts[row] for row in rows]), 60)


CLAIM = "int mkl_serv_intel_cpu(void){return 1;} int mkl_serv_intel_cpu_true(void){return 1;}"
SCORE = """
import random, sys
from pathlib import Path
import config
from tests.fixtures.tiny_models import save_sequence_classifier
from transformers import AutoModelForSequenceClassification, AutoTokenizer
from metrics.language_models.sequence_classifier import SequenceClassifier

folder = save_sequence_classifier(Path(sys.argv[1]), ["odd", "acceptable"])
model = SequenceClassifier(
    AutoModelForSequenceClassification.from_pretrained(folder),
    AutoTokenizer.from_pretrained(folder),
)
draw = random.Random(1)
words = "the food was good bad kind so not".split()
texts = list({" ".join(draw.choices(words, k=draw.randint(2, 6))) for _ in range(500)})
together = dict(zip(texts, model.predict(texts)[:, 1]))
draw.shuffle(texts)
print(sum(value != together[text] for text, value in zip(texts, model.predict(texts)[:, 1])))
"""


@pytest.fixture
def as_on_intel(tmp_path):
    """Return a function that scores texts in two orders and counts those whose score differs."""
    compiler = shutil.which("gcc") or missing("gcc")
    source, library = tmp_path / "claim.c", tmp_path / "claim.so"
    source.write_text(CLAIM)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)

    def count(**more):
        environment = os.environ | {"LD_PRELOAD": str(library), "OMP_NUM_THREADS": "1"} | more
        command = [sys.executable, "-c", SCORE, str(tmp_path / "model")]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        )
        return int(done.stdout.split()[-1])

    return count


@pytest.mark.nightly
def test_no_score_depends_on_the_place_of_a_text_among_others(as_on_intel):
    assert os.environ["MKL_CBWR"] == "AUTO,STRICT", config.__file__
    assert as_on_intel() == 0


@pytest.mark.nightly
def test_this_machine_would_notice_if_it_did(as_on_intel):
    assert as_on_intel(MKL_CBWR="AUTO") > 0
