"""Word Mover's Distance: the least cost, as linear programming finds it."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.encoders.words import glove_vectors
from metrics.scorers.scorer import Texts
from metrics.scorers.word_vectors import WordMoversDistance

WORDS = [
    *["the", "staff", "was", "kind", "rude", "and", "fish", "food", "bridge", "city", "of"],
    "n't",
    ",",
    ".",
    "!",
]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


def distance(output: str, compared: str, **parameters: object) -> float:
    found = WordMoversDistance(parameters).score(Texts.of([output], [compared]))
    return float(found.values[0, 0])


def by_linear_programming(first: str, second: str, *, normalise: bool) -> float:
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
def test_distances_are_those_of_linear_programming(
    first: str, second: str, normalise: bool
) -> None:
    expected = by_linear_programming(first, second, normalise=normalise)
    assert distance(first, second, normalise=normalise) == pytest.approx(expected, abs=1e-9)


@given(texts, texts)
def test_any_two_texts_are_as_far_as_linear_programming_says(first: str, second: str) -> None:
    expected = by_linear_programming(first, second, normalise=True)
    assert distance(first, second) == pytest.approx(expected, abs=1e-9)


def test_of_several_references_the_nearest_or_the_mean_counts() -> None:
    references = ("the staff was rude", "fish", "")
    alone = [distance("kind staff", each) for each in references[:2]]

    def several(rule: str) -> float:
        scorer = WordMoversDistance({"references": rule})
        return float(scorer.score(Texts.of(["kind staff"], [references])).values[0, 0])

    assert several("min") == pytest.approx(min(alone))
    assert several("mean") == pytest.approx(np.mean(alone))


def test_texts_without_known_words_or_with_too_many_say_so() -> None:
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
