"""Integrated Gradients against captum, against brute force, and where the answer is known."""

import numpy as np
import pytest

from metrics.attribution.classifier import TransformerClassifier
from metrics.attribution.integrated_gradients import Quadrature, integrated_gradients
from metrics.attribution.masking import MaskingRule, mask_by_attribution
from tests.fixtures.tiny_classifiers import save_classifier

pytestmark = pytest.mark.usefixtures("one_thread")
TEXTS = [
    "the food was not good !",
    "unfriendly service , never again",
    "great",
    "so so so very terrible . the food was great , the service wasn't",
    "it is 😋 שלום unheard",
]
FINE = Quadrature(panels=8, tolerance=1e-3, share=2e-4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_classifier(tmp_path_factory.mktemp("classifier"))


@pytest.fixture(scope="module")
def classifier(folder):
    return TransformerClassifier(folder)


@pytest.fixture(scope="module")
def network(folder):
    from transformers import AutoModelForSequenceClassification

    return AutoModelForSequenceClassification.from_pretrained(folder).eval()


def inputs(classifier, text, baseline):
    """Ids of a text and of its baseline."""
    import torch

    [encoded] = classifier.encode([text])
    ids = torch.tensor([encoded.ids])
    kept = torch.tensor(encoded.pieces["is_special"]) & (baseline == "keep-special")
    return ids, ids.where(kept, 0)


# Against others


@pytest.mark.parametrize("baseline", ["keep-special", "pad-all"])
@pytest.mark.parametrize("column", [0, 2])
def test_attributions_equal_those_of_captum_at_many_steps(classifier, network, baseline, column):
    from captum.attr import LayerIntegratedGradients

    captum = LayerIntegratedGradients(
        lambda ids: network(ids).logits, network.bert.embeddings.word_embeddings
    )
    ours = integrated_gradients(
        classifier, TEXTS, [column] * len(TEXTS), baseline=baseline, quadrature=FINE
    )
    for text, found in zip(TEXTS, ours, strict=True):
        ids, reference = inputs(classifier, text, baseline)
        theirs = captum.attribute(ids, reference, target=column, n_steps=200)
        expected = theirs.sum(-1)[0].detach().numpy()
        assert np.abs(found.pieces["value"] - expected).sum() <= 1e-3 * np.abs(expected).sum()


# What must hold


def test_a_linear_models_attributions_are_exact_from_the_coarsest_rule(folder):
    """Where the logit is a weighted sum of embeddings: weights × difference."""
    import torch
    from transformers import AutoConfig

    class Linear(torch.nn.Module):
        def __init__(self, config):
            super().__init__()
            self.config = config
            self.words = torch.nn.Embedding(config.vocab_size, 4)
            self.head = torch.nn.Linear(4, 3)

        def get_input_embeddings(self):
            return self.words

        def forward(self, input_ids, attention_mask):
            from types import SimpleNamespace

            summed = (self.words(input_ids) * attention_mask[..., None]).sum(1)
            return SimpleNamespace(logits=self.head(summed))

    torch.manual_seed(1)
    linear = TransformerClassifier(folder)
    model = Linear(AutoConfig.from_pretrained(folder)).requires_grad_(requires_grad=False)
    linear.__dict__["_model"] = model
    rule = Quadrature(panels=1)
    for text, found in zip(
        TEXTS, integrated_gradients(linear, TEXTS, [1] * len(TEXTS), quadrature=rule), strict=True
    ):
        ids, reference = inputs(linear, text, "keep-special")
        expected = (model.words(ids) - model.words(reference)) @ model.head.weight[1]
        assert found.pieces["value"] == pytest.approx(expected[0].numpy(), abs=1e-5)
        assert found.convergence_error < 1e-5


# Odd texts


def test_empty_texts_have_no_pieces_and_mask_nothing(classifier):
    for text in ("", " ", "\n\t"):
        [found] = integrated_gradients(classifier, [text], [0])
        assert np.all(found.pieces["is_special"])
        assert found.convergence_error == pytest.approx(0, abs=1e-6)
        masked = mask_by_attribution(text, found, MaskingRule(1.0))
        assert (masked.text, masked.is_emptied) == (text, False)


def test_what_the_classifier_cannot_read_is_said(classifier):
    long = "the food was good " * 2500
    read, [found] = 64, integrated_gradients(classifier, [long], [0])
    assert len(found.pieces) == read
    assert found.left_out == 10_000 + 2 - read
    assert found.limit_reason == (
        "too long: the style classifier reads 64 word pieces, the text has 10002; what comes "
        "after has no attribution"
    )
    [short] = integrated_gradients(classifier, ["good"], [0])
    assert short.limit_reason == ""


# Models
