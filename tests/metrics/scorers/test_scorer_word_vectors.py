"""Metrics on word vectors: equal to direct computation, linear programming and their definition."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.encoders.words import glove_vectors, split
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts
from metrics.scorers.word_vectors import WordMoversDistance
from metrics.weights import glove

KEYS = ["embedding-average", "vector-extrema", "greedy-matching"]
PAIRS = [
    ("the staff was kind", "the staff was rude !"),
    ("fish", "a bridge of the city , in the city"),
    ("good good good food", "the food is good"),
]


def scored(key, outputs, against, **parameters):
    values = scorer_class(key)(parameters).score(Texts.of(outputs, against)).values
    return np.asarray(values[:, 0])


def cosine(first, second):
    return float(first @ second / np.sqrt(first @ first) / np.sqrt(second @ second))


def direct(key, first, second):
    """Compute by loops, from words separated by blanks."""
    rows, vectors = glove.load()
    a, b = (
        [vectors[rows[word]].astype(float) for word in text.split()] for text in (first, second)
    )
    if key == "embedding-average":
        return cosine(sum(a) / len(a), sum(b) / len(b))
    if key == "vector-extrema":
        extremes = [
            np.array([max((word[axis] for word in words), key=abs) for axis in range(50)])
            for words in (a, b)
        ]
        return cosine(*extremes)
    there = np.mean([max(cosine(one, other) for other in b) for one in a])
    back = np.mean([max(cosine(one, other) for other in a) for one in b])
    return float((there + back) / 2)


@pytest.mark.parametrize("key", KEYS)
def test_values_equal_a_direct_computation(key):
    ours = scored(key, [first for first, _ in PAIRS], [second for _, second in PAIRS])
    assert ours == pytest.approx([direct(key, *pair) for pair in PAIRS], abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_texts_without_known_words_say_so(key):
    scores = scorer_class(key)().score(
        Texts.of(["😀", "fish", "fish"], ["fish", "[STYLE]", "fish"])
    )
    assert scores.undefined == {
        0: "the output has no word with a vector",
        1: "what it is compared with has no word with a vector",
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't know.", ["i", "do", "n't", "know", "."]),
        ("i do n't know .", ["i", "do", "n't", "know", "."]),
        ("They’re OK, can’t they?!", ["they", "'re", "ok", ",", "ca", "n't", "they", "?", "!"]),
        ("rock-solid o'clock u.s. 5.00$", ["rock-solid", "o'clock", "u.s.", "5.00", "$"]),
        ("wait ... what....", ["wait", "...", "what", "...."]),
        ("a [STYLE] b[PAD]c [1] [sic!]", ["a", "b", "c", "[", "1", "]", "[", "sic", "!", "]"]),
        ("👍🏽 a", ["👍", "🏽", "a"]),
        (" \n ", []),
    ],
)
def test_texts_fall_into_words_as_stated(text, words):
    assert split(text) == words


@given(st.text())
def test_every_sign_that_is_no_blank_or_placeholder_is_in_a_word(text):
    plain = text.replace("[", "").translate({ord("’"): "'", ord("‘"): "'", ord("“"): '"'})
    plain = plain.translate({ord("”"): '"', ord("‐"): "-", ord("‑"): "-", ord("…"): "..."})
    assert "".join(split(plain)) == "".join(plain.lower().split())


def distance(output, compared, **parameters):
    found = WordMoversDistance(parameters).score(Texts.of([output], [compared]))
    return float(found.values[0, 0])


def by_linear_programming(first, second, *, normalise):
    """Return the least cost over all ways to move words, without any shortcut."""
    from scipy.optimize import linprog

    vectors = glove_vectors()
    bags = [Counter(vectors.words(text)) for text in (first, second)]
    shares = [np.array([*bag.values()]) / bag.total() for bag in bags]
    a, b = (
        np.array([vectors.vectors[vectors.rows[word]] for word in bag], dtype=float) for bag in bags
    )
    if normalise:
        a, b = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in (a, b))
    costs = np.linalg.norm(a[:, None] - b[None], axis=2)
    rows, columns = costs.shape
    leaves = np.kron(np.eye(rows), np.ones(columns))
    arrives = np.kron(np.ones(rows), np.eye(columns))
    solved = linprog(costs.ravel(), A_eq=np.vstack([leaves, arrives]), b_eq=np.concatenate(shares))
    return float(solved.fun)


@pytest.mark.parametrize("normalise", [True, False])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the staff was kind", "the staff was rude"),
        ("the food was good and the staff was kind .", "bad food , rude staff !"),
        ("fish", "a bridge of the city"),
        ("the the the fish", "the fish fish"),
        ("I don't like it", "i do n't [STYLE] it"),
    ],
)
def test_distances_are_those_of_linear_programming(first, second, normalise):
    expected = by_linear_programming(first, second, normalise=normalise)
    assert distance(first, second, normalise=normalise) == pytest.approx(expected, abs=1e-9)


def test_texts_without_known_words_or_with_too_many_say_so():
    words = list(glove_vectors().rows)
    long = " ".join(word for word in words if word.isalpha() and word.isascii())
    against: list[Any] = ["fish", "[STYLE]", "fish", "fish"]
    scores = WordMoversDistance().score(
        Texts.of(["😀", "fish", long[:100_000], " ".join(words[100:900])], against)
    )
    assert scores.undefined == {
        0: "the output has no word with a vector",
        1: "what it is compared with has no word with a vector",
        2: "the output has more than 2,000 different words",
    }
    assert scores.values[3, 0] > 0
