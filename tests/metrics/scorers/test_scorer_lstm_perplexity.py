"""LSTM language models: near a source whose entropy is known, the same each time, one a style."""

import math

import numpy as np
import pytest

from metrics.language_models.by_style import LstmByStyle
from metrics.language_models.lstm import PARAMETERS, train
from tests.fixtures.style_texts import silent

WORDS = ("cat", "dog", "eel")
FOLLOWS = np.array(
    [[0.5, 0.3, 0.2, 0.0], [0.05, 0.05, 0.7, 0.2], [0.1, 0.6, 0.0, 0.3], [0.8, 0.1, 0.0, 0.1]]
)
"""From the start, then from each word: how often each word follows, and the end."""


SMALL = {"size": 8, "hidden": 24, "rate": 0.02, "dropout": 0.0}


def settings(**given):
    return {each.name: each.default for each in PARAMETERS} | given


def drawn(count, seed):
    """Return sentences of the source, none of them empty, each with its −ln P."""
    generator, sentences, likelihoods = np.random.default_rng(seed), [], []
    while len(sentences) < count:
        state, words, likelihood = 0, [], 0.0
        while True:
            step = int(generator.choice(4, p=FOLLOWS[state]))
            likelihood -= math.log(FOLLOWS[state, step])
            if step == len(WORDS):
                break
            words.append(WORDS[step])
            state = step + 1
        sentences.append(words)
        likelihoods.append(likelihood)
    return sentences, likelihoods


def test_perplexity_comes_near_that_of_the_source_and_never_below_it():
    sentences, _ = drawn(600, seed=1)
    model = train(sentences, settings(**SMALL, epochs=7, batch=16), silent)
    unseen, likelihoods = drawn(800, seed=2)
    units = sum(len(words) + 1 for words in unseen)
    found = sum(map(model.negative_log_likelihood, unseen)) / units
    entropy = sum(likelihoods) / units
    assert entropy - 0.01 < found < entropy + 0.05
    # Words alone, without what stands before them, are far less predictable.
    counts = np.unique([w for words in unseen for w in (*words, "")], return_counts=True)[1]
    shares = counts / counts.sum()
    assert found < -(shares * np.log(shares)).sum() - 0.1


def test_likelihoods_are_those_of_all_sentences_so_that_probabilities_sum_to_one():
    model = train([["cat", "dog"], ["dog"], ["cat"]] * 3, settings(size=4, hidden=4), silent)
    import torch

    with torch.inference_mode():
        logits = model.network(torch.tensor([model.numbers(["dog", "no-such-word"])]))
    shares = torch.softmax(logits.double(), dim=2)[0]
    expected = -sum(
        math.log(shares[place, number])
        for place, number in enumerate(model.numbers(["dog", "no-such-word"])[1:])
    )
    found = model.negative_log_likelihood(["dog", "no-such-word"])
    assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([], "nothing to train on"),
        (["same", "same"], "all sentences are the same"),
        (["one", "two"], "no word occurs in 2 texts"),
    ],
)
def test_too_few_texts_are_named_with_their_style(texts, words, tmp_path):
    with pytest.raises(ValueError, match=f"style 'formal': .*{words}"):
        LstmByStyle.write({"formal": texts}, tmp_path, settings(), silent)
