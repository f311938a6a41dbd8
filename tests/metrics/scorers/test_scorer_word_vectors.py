"""Metrics on word vectors, beside direct computations; how texts fall into words."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.encoders.words import split
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts
from metrics.weights import glove

KEYS = ["embedding-average", "vector-extrema", "greedy-matching"]
PAIRS = [
    ("the staff was kind", "the staff was rude !"),
    ("fish", "a bridge of the city , in the city"),
    ("good good good food", "the food is good"),
]


def scored(key: str, outputs: list[str], against: list[Any], **parameters: object) -> np.ndarray:
    values = scorer_class(key)(parameters).score(Texts.of(outputs, against)).values
    return np.asarray(values[:, 0])


def cosine(first: np.ndarray, second: np.ndarray) -> float:
    return float(first @ second / np.sqrt(first @ first) / np.sqrt(second @ second))


def direct(key: str, first: str, second: str) -> float:
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
def test_values_equal_a_direct_computation(key: str) -> None:
    ours = scored(key, [first for first, _ in PAIRS], [second for _, second in PAIRS])
    assert ours == pytest.approx([direct(key, *pair) for pair in PAIRS], abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_of_several_references_the_best_or_the_mean_counts(key: str) -> None:
    references = ("the staff was rude", "fish", "😀")
    alone = scored(key, ["kind staff"] * 2, list(references[:2]))
    assert scored(key, ["kind staff"], [references]) == pytest.approx(max(alone))
    mean = scored(key, ["kind staff"], [references], references="mean")
    assert mean == pytest.approx(alone.mean())


@pytest.mark.parametrize("key", KEYS)
def test_texts_without_known_words_say_so(key: str) -> None:
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
def test_texts_fall_into_words_as_stated(text: str, words: list[str]) -> None:
    assert split(text) == words


@given(st.text())
def test_every_sign_that_is_no_blank_or_placeholder_is_in_a_word(text: str) -> None:
    plain = text.replace("[", "").translate({ord("’"): "'", ord("‘"): "'", ord("“"): '"'})
    plain = plain.translate({ord("”"): '"', ord("‐"): "-", ord("‑"): "-", ord("…"): "..."})
    assert "".join(split(plain)) == "".join(plain.lower().split())
