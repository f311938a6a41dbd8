"""Metrics of the surface, equal to NLTK, tables by hand and sacreBLEU."""

import random
from typing import Any

import numpy as np
import pytest

from corpus.texts.sequences import edit_distance, longest_common_subsequence
from metrics.scorers.scorer import Texts
from metrics.scorers.surface import CopyRate, EditDistance, ExactMatch, LengthRatio
from metrics.scorers.ter import MOST_WORDS, TOO_LONG, Ter
from tests.metrics.scorers.test_scorer_bleu_and_chrf import random_texts


def random_sequences(count):
    draw = random.Random(5)
    return [
        (draw.choices("abcd", k=draw.randint(0, 40)), draw.choices("abce", k=draw.randint(0, 40)))
        for _ in range(count)
    ]


def score(scorer, output, *against):
    return float(scorer.score(Texts.of([output], [against])).values[0, 0])


def test_edits_are_those_of_nltk():
    from nltk.metrics.distance import edit_distance as of_nltk

    for first, second in random_sequences(300):
        assert edit_distance(first, second) == of_nltk(first, second)


def test_common_subsequences_are_as_long_as_those_of_the_table():
    for first, second in random_sequences(300):
        table = np.zeros((len(first) + 1, len(second) + 1), dtype=int)
        for i, a in enumerate(first):
            for j, b in enumerate(second):
                longer = max(table[i, j + 1], table[i + 1, j])
                table[i + 1, j + 1] = table[i, j] + 1 if a == b else longer
        assert longest_common_subsequence(first, second) == table[-1, -1]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, 3 / 7),
        ({"divide_by": "nothing"}, 3),
        ({"divide_by": "compared"}, 3 / 6),
        ({"unit": "words"}, 1),
    ],
)
def test_edit_distance_counts_and_divides_as_asked(parameters, expected):
    assert score(EditDistance(parameters), "sitting", "kitten") == pytest.approx(expected)


def test_of_several_references_the_nearest_counts_or_the_mean():
    references = ("abcd", "abxy")
    assert score(EditDistance(), "abcd", *references) == 0
    assert score(EditDistance({"references": "mean"}), "abcd", *references) == 0.25
    assert score(LengthRatio(), "a b c", "a", "a b c d") == 0.75
    assert score(LengthRatio({"references": "mean"}), "a b c", "a", "a b c d") == 1.875


def test_a_copy_is_a_copy_however_its_letters_are_composed():
    texts = Texts.of(
        ["Café \n", "cafe\u0301", "café!", "", "x"], ["Cafe\u0301", "Café", "café", "", ()]
    )
    for scorer in (CopyRate, ExactMatch):
        scores = scorer().score(texts)
        assert scores.values[:4, 0].tolist() == [1, 0, 0, 1]
        assert scores.undefined == {4: "there is nothing to compare with"}


SETTINGS: list[dict[str, Any]] = [
    {},
    {"lowercase": False},
    {"normalized": True},
    {"normalized": True, "asian_support": True},
    {"no_punct": True, "asian_support": True},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("references", [1, 3])
def test_ter_equals_the_library_under_every_setting(settings, references):
    from sacrebleu.metrics import TER

    texts = random_texts(60, references)
    ours = Ter({**settings, "scale": "100"})
    scores = ours.score(texts)
    named = dict(settings)
    metric = TER(case_sensitive=not named.pop("lowercase", True), **named)
    expected = [
        metric.sentence_score(output, list(against)).score
        for output, against in zip(texts.outputs, texts.against, strict=True)
    ]
    assert scores.values[:, 0] == pytest.approx(expected, rel=1e-14)
    streams = [list(each) for each in zip(*texts.against, strict=True)]
    corpus = metric.corpus_score(list(texts.outputs), streams)
    assert ours.corpus_score(scores.statistics) == pytest.approx(corpus.score, rel=1e-14)


def test_long_texts_are_refused_in_words_and_left_out_of_the_corpus():
    long = "word " * (MOST_WORDS + 1)
    texts = Texts.of(["a b", long, "a b"], ["a c", "a c", long])
    scores = Ter().score(texts)
    assert scores.undefined == {1: TOO_LONG, 2: TOO_LONG}
    assert np.isnan(scores.values[1:]).all()
    assert Ter().corpus_score(scores.statistics) == scores.values[0, 0] == 0.5
