"""On a real classifier and a published study: the words that captum's many steps would mask."""

import csv
import random
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.integrated_gradients import THRESHOLDS, Captum, masked_words
from benchmarks.sentiment_classifier import train
from metrics.attribution.classifier import TransformerClassifier
from metrics.attribution.integrated_gradients import integrated_gradients

TEXTS, STEPS = 25, 100


@pytest.mark.slow
@pytest.mark.nightly
def test_the_same_words_are_masked_as_by_many_steps_of_captum(studies, corpora, tmp_path):
    train(tmp_path / "sentiment", corpora, 800)
    classifier = TransformerClassifier(tmp_path / "sentiment")
    with (studies / "mir2019" / "outputs.csv").open(encoding="utf-8", newline="") as file:
        outputs = sorted({row["output"] for row in csv.DictReader(file)})
    texts = random.Random(1).sample(outputs, TEXTS)
    found = integrated_gradients(classifier, texts, [1] * TEXTS)
    errors = [each.convergence_error for each in found]
    assert np.mean(errors) <= 0.01
    assert max(errors) <= 0.025
    captum = Captum(classifier)
    same = 0
    for text, each in zip(texts, found, strict=True):
        pieces = each.pieces.copy()
        pieces["value"] = captum(text, 1, STEPS)
        masks = masked_words(text, each), masked_words(text, replace(each, pieces=pieces))
        same += sum(ours == theirs for ours, theirs in zip(*masks, strict=True))
    assert same >= 0.98 * TEXTS * len(THRESHOLDS)
