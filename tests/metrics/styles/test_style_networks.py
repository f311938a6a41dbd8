"""Small networks compute what their papers say, on any text and however it is padded."""

import itertools

import numpy as np
import pytest

from corpus.texts.masking import split_words
from metrics.language_models.batching import padded
from metrics.styles.word_networks import PADDING, RESERVED
from tests.fixtures.style_texts import reviews, trained

TEXT = "the soup was great and the waiter unheard"


def softmax(logits):
    odds = np.exp(logits - logits.max())
    return odds / odds.sum()


def test_an_lstm_reads_a_text_both_ways_like_that_of_torch():
    import torch

    model = trained("lstm", reviews(24), size=5, hidden=6, epochs=1)
    network = model.network
    expected = torch.nn.LSTM(5, 6, batch_first=True, bidirectional=True)
    weights = dict(network.forwards.state_dict())
    weights |= {f"{name}_reverse": each for name, each in network.backwards.state_dict().items()}
    expected.load_state_dict(weights)
    numbers = [model.numbers(TEXT), model.numbers("lovely menu .")]
    with torch.inference_mode():
        found = network(*padded(numbers, PADDING))
        for row, each in enumerate(numbers):
            _, (states, _) = expected(network.vectors(torch.tensor([each])))
            wanted = network.last(torch.cat([states[0], states[1]], dim=1))[0]
            np.testing.assert_allclose(found[row], wanted, atol=1e-6)


def test_a_convolutional_network_takes_the_strongest_answer_of_each_filter():
    model = trained("text-cnn", reviews(24), size=5, filters=4, widest=4, epochs=1)
    state = {name: each.double().numpy() for name, each in model.network.state_dict().items()}
    words = state["vectors.weight"][model.numbers(TEXT)]
    strongest = []
    for place, width in enumerate((3, 4)):
        weights, bias = state[f"filters.{place}.weight"], state[f"filters.{place}.bias"]
        behind = np.vstack([words, np.zeros((width - 1, 5))])
        windows = [behind[start : start + width].T for start in range(len(words))]
        answers = np.array([(weights * window).sum(axis=(1, 2)) + bias for window in windows])
        strongest.append(np.maximum(answers, 0).max(axis=0))
    logits = state["last.1.weight"] @ np.concatenate(strongest) + state["last.1.bias"]
    np.testing.assert_allclose(model.predict([TEXT])[0], softmax(logits), atol=1e-6)


def test_ngram_vectors_are_averaged_over_known_words_and_sequences():
    model = trained("ngram-vectors", reviews(24), size=5, epochs=1, longest=2)
    words = split_words(TEXT)
    units = [*words, *(" ".join(pair) for pair in itertools.pairwise(words))]
    state = {name: each.double().numpy() for name, each in model.network.state_dict().items()}
    known = [RESERVED + model.vocabulary.index(each) for each in units if each in model.vocabulary]
    assert 0 < len(known) < len(units)
    mean = state["vectors.weight"][known].mean(axis=0)
    logits = state["last.1.weight"] @ mean + state["last.1.bias"]
    np.testing.assert_allclose(model.predict([TEXT])[0], softmax(logits), atol=1e-6)


@pytest.mark.parametrize("kind", ["lstm", "text-cnn", "ngram-vectors"])
def test_the_last_layer_makes_the_answer_of_the_representation(kind):
    model = trained(kind, reviews(24), size=8, epochs=1)
    texts = [TEXT, "great", ""]
    state = {name: each.double().numpy() for name, each in model.network.last.state_dict().items()}
    found = model.representations(texts)
    for vector, answer in zip(found, model.predict(texts), strict=True):
        logits = state["1.weight"] @ vector + state["1.bias"]
        np.testing.assert_allclose(softmax(logits), answer, atol=1e-6)
    np.testing.assert_array_equal(model.representations(texts[1:2])[0], found[1])
