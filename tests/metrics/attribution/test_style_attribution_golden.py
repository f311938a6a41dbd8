"""On a real classifier and a published study: the words that captum's many steps would mask."""

import csv
import gzip
import random
from dataclasses import replace

import numpy as np
import pytest

from metrics.attribution.attribution import units
from metrics.attribution.classifier import TransformerClassifier
from metrics.attribution.integrated_gradients import integrated_gradients
from metrics.attribution.masking import select
from metrics.weights import minilm

STYLES = ("negative", "positive")
BATCH = 32


def train(folder, corpora, sentences, *, epochs=2, seed=1):
    """Fine-tune on the first sentences of each style and save the model with its tokenizer."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    texts, labels = _corpus(corpora, sentences)
    torch.manual_seed(seed)
    start = minilm.folder()
    tokenizer = AutoTokenizer.from_pretrained(start)
    model = AutoModelForSequenceClassification.from_pretrained(start, num_labels=len(STYLES))
    model.config.id2label = dict(enumerate(STYLES))
    model.config.label2id = {style: place for place, style in enumerate(STYLES)}
    steps = epochs * -(-len(texts) // BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    model.train()
    for _ in range(epochs):
        for batch in torch.randperm(len(texts)).split(BATCH):
            chosen = [texts[i] for i in batch]
            encoded = tokenizer(
                chosen, padding=True, truncation=True, max_length=64, return_tensors="pt"
            )
            loss = model(**encoded, labels=labels[batch]).loss
            loss.backward()
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
    model.eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _corpus(folder, sentences):
    import torch

    texts: dict[str, list[str]] = {style: [] for style in STYLES}
    with gzip.open(folder / "yelp_sentiment.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if len(texts[row["style"]]) < sentences // len(STYLES):
                texts[row["style"]].append(row["text"])
    labels = [place for place, style in enumerate(STYLES) for _ in texts[style]]
    return [text for style in STYLES for text in texts[style]], torch.tensor(labels)


TEXTS, STEPS = 25, 100
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5)


class Captum:
    """Captum's Integrated Gradients of the same model, against the same baseline."""

    def __init__(self, classifier):
        from captum.attr import LayerIntegratedGradients

        model = classifier._model
        self._classifier = classifier
        self._method = LayerIntegratedGradients(
            lambda ids: model(ids).logits, model.get_input_embeddings()
        )

    def __call__(self, text, column, steps):
        """Return the attribution of every word piece of one text."""
        import torch

        [encoded] = self._classifier.encode([text])
        ids = torch.tensor([encoded.ids])
        baseline = ids.where(torch.from_numpy(encoded.pieces["is_special"]), 0)
        found = self._method.attribute(ids, baseline, target=column, n_steps=steps)
        return found.sum(-1)[0].detach().double().numpy()


def masked_words(text, attribution):
    """Return where the words begin that are masked, for each threshold."""
    words = units(text, attribution)
    return [
        {unit.start for unit in select(words, threshold, at_least_one=False)}
        for threshold in THRESHOLDS
    ]


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
