"""Word Mover's Distance: the least cost, as linear programming finds it."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.encoders.words import glove_vectors
from metrics.scorers.scorer import Texts
from metrics.scorers.word_vectors import WordMoversDistance
from tests.fixtures.released_scores import mir2019

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


def test_mir2019_content_ratings_correlate_on_masked_texts(studies: Path) -> None:
    released = mir2019(studies, "WMD", "style_masked")
    scores = WordMoversDistance().score(released.texts)
    assert not scores.undefined
    values = scores.values[:, 0]
    # The release's vectors were trained on its corpora; ours are GloVe's.
    assert np.corrcoef(values, released.scores)[0, 1] > 0.9
    found = correlations_with_people(studies, values)
    assert (found < 0).all()
    assert -found.mean() >= 0.40


def correlations_with_people(studies: Path, values: np.ndarray) -> np.ndarray:
    """Return Pearson's r for each model, all its settings pooled."""
    import pandas as pd

    from analysis.stats.correlation.metric_correlation import segment_level

    folder = studies / "mir2019"
    ratings = pd.read_csv(folder / "ratings_mean.csv")
    ratings = ratings[ratings.aspect == "content_preservation"]
    scores = pd.read_csv(folder / "metric_scores.csv.gz", keep_default_na=False)
    rows = scores[(scores.metric == "WMD") & (scores.text_setting == "style_masked")]
    table = rows.assign(value=values).merge(ratings, on=["segment_id", "system"])
    assert len(table) == 2_928
    found = []
    for model in ("CAAE", "ARAE", "DAR"):
        own = table[table.system.str.startswith(model)]
        metric, human = (
            own.pivot(index="segment_id", columns="system", values=name).to_numpy()
            for name in ("value", "score_y")
        )
        found.append(segment_level(metric, human, bootstrap=None).value)
    return np.array(found)
