"""Editing without a model: deletion by lexicon, filling, retrieval; and what is then missing."""

from collections import Counter

import numpy as np
import pytest

from metrics.writers.edits import DeleteAndFill, DeleteAndRetrieve, Retrieve
from metrics.writers.markers import salient_words
from metrics.writers.retrieving import Retriever
from metrics.writers.writer import Material, Source, StyleWord, WriterError
from tests.fixtures.nonempty import at_least_one

TEXTS = {
    "negative": ("the food was awful", "the staff was rude and slow", "i hate this place"),
    "positive": (
        "the food was great",
        "the staff was friendly and quick",
        "i love this place",
        "the wine was great",
    ),
}
WORDS = {
    "negative": ("awful", "rude", "slow", "hate", "rude and slow"),
    "positive": ("great", "friendly", "quick", "love", "friendly and quick"),
}
LEXICON = tuple(StyleWord(word, style, 1.0) for style, words in WORDS.items() for word in words)
MATERIAL = Material(texts=TEXTS, lexicon=LEXICON)


def written(kind, text, material=MATERIAL, **parameters):
    return kind(parameters, material).write([Source("s", text, "negative", "positive")])[0]


def test_a_gap_is_filled_with_what_stands_between_the_same_words():
    assert written(DeleteAndFill, "The food was rude!").text == "The food was great!"
    assert written(DeleteAndFill, "they hate this place").text == "they love this place"
    assert written(DeleteAndFill, "the soup was awful").text == "the soup was great"
    # Nothing was seen beside these words: the gap stays empty.
    assert written(DeleteAndFill, "such awful luck").text == "such luck"
    assert written(DeleteAndFill, "the soup was awful", fill=False).text == "the soup was"


def test_what_has_no_style_words_stays_and_what_is_nothing_else_is_missing():
    for kind in (DeleteAndFill, DeleteAndRetrieve):
        assert written(kind, "the door was open").text == "the door was open"
    assert written(DeleteAndFill, "awful", fill=False) == (
        "",
        "nothing is left of this source without its style words",
    )


def test_the_nearest_text_is_that_with_the_same_content():
    assert written(Retrieve, "the staff was rude").text == "the staff was friendly and quick"
    assert written(Retrieve, "i hate my place").text == "i love this place"
    assert "shares a word" in written(Retrieve, "unheard of").reason


def test_style_words_of_the_nearest_text_take_the_place_of_the_sources():
    assert (
        written(DeleteAndRetrieve, "Your staff was rude.").text
        == "Your staff was friendly and quick."
    )
    assert written(DeleteAndRetrieve, "awful place i hate").text == "love place i"


def test_words_can_be_found_by_counting_as_in_the_paper():
    texts, others = ["a b c"] * 4 + ["b d"], ["b c"] * 4
    found = set(salient_words(texts, others, 2.5))

    def count(words, where):
        return sum(f" {text} ".count(f" {words} ") for text in where)

    sequences = Counter(
        " ".join(text.split()[start:end])
        for text in texts
        for start in range(3)
        for end in range(start + 1, 4)
        if end <= len(text.split())
    )
    expected = {
        words
        for words in at_least_one(sequences)
        if (count(words, texts) + 1) / (count(words, others) + 1) >= 2.5
    }
    assert found == expected
    assert {"a", "a b", "a b c"} <= found
    counted = Material(texts={"negative": ("it was awful",) * 4, "positive": ("it was",) * 4})
    given = {"markers": "counts", "salience": 4, "fill": False}
    assert written(DeleteAndFill, "soup awful today", counted, **given).text == "soup today"


def test_the_nearest_text_is_that_of_brute_force():
    texts = [*TEXTS["positive"], "a quick friendly place", "wine and food"]
    retriever = Retriever(texts)
    names = sorted({word for text in texts for word in text.split()})
    counts = np.array([[text.split().count(name) for name in names] for text in texts])
    weights = np.log((1 + len(texts)) / (1 + (counts > 0).sum(axis=0))) + 1
    rows = counts * weights
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for query in ("food and wine", "friendly staff", "this quick place", "the"):
        vector = np.array([query.split().count(name) for name in names]) * weights
        similar = rows @ vector
        best = np.flatnonzero(np.isclose(similar, similar.max()))
        assert retriever.nearest(query)[0] in best
    assert retriever.nearest("zebra") == []


def test_what_a_study_lacks_is_said():
    only = Material(texts=TEXTS, lexicon=[word for word in LEXICON if word.style == "positive"])
    with pytest.raises(WriterError, match="no words of the style 'negative', only of: positive"):
        written(DeleteAndFill, "awful", only)
    empty = Material(texts={"negative": ("a",)}, lexicon=LEXICON)
    for kind in (DeleteAndFill, Retrieve, DeleteAndRetrieve):
        assert "has the target style 'positive'" in written(kind, "awful", empty).reason
