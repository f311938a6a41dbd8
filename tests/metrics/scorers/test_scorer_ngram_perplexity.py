"""N-gram models: Kneser–Ney against its definition, ARPA files against KenLM."""

import csv
import gzip
import math
import random
from collections import Counter
from itertools import islice

import numpy as np
import pytest

from corpus.texts.masking import split_words
from metrics.language_models.by_style import NgramsByStyle, with_kenlm
from metrics.language_models.ngrams import (
    END,
    FALLBACK_DISCOUNTS,
    START,
    UNKNOWN,
    ArpaError,
    read_arpa,
    train,
    write_arpa,
)
from metrics.scorers.perplexity import NgramPerplexity
from metrics.scorers.scorer import Resources, Texts


@pytest.fixture(scope="module")
def reviews(corpora):
    """Sentences of real reviews."""
    with gzip.open(corpora / "yelp_sentiment.csv.gz", "rt", encoding="utf-8") as file:
        return [split_words(row["text"]) for row in islice(csv.DictReader(file), 3000)]


@pytest.fixture(scope="module")
def model(reviews):
    return train(reviews[:2500], 3)


def silent(*_):
    """Hear no progress."""


class Definition:
    """Chen and Goodman's equations written down as they stand, slow."""

    def __init__(self, sentences, order):
        self.padded = [(START, *words, END) for words in sentences]
        self.order = order
        words = {word for sentence in self.padded for word in sentence[1:]}
        self.size = len(words | {UNKNOWN})
        self.discounts = [self._discounts(length) for length in range(1, order + 1)]

    def grams(self, length):
        found: Counter[tuple[str, ...]] = Counter()
        for sentence in self.padded:
            for start in range(len(sentence) - length + 1):
                found[sentence[start : start + length]] += 1
        return found

    def counts(self, length):
        raw = self.grams(length)
        if length == self.order:
            return dict(raw)
        longer = self.grams(length + 1)
        counts = {}
        for gram in raw:
            if gram == (START,):
                continue
            counts[gram] = (
                raw[gram] if gram[0] == START else sum(each[1:] == gram for each in longer)
            )
        return counts

    def _discounts(self, length):
        n = [sum(c == k for c in self.counts(length).values()) for k in range(5)]
        if not all(n[1:]):
            return (0, *FALLBACK_DISCOUNTS)
        y = n[1] / (n[1] + 2 * n[2])
        found = [k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)]
        usable = all(0 < each <= k for k, each in enumerate(found, start=1))
        return (0, *(found if usable else FALLBACK_DISCOUNTS))

    def probability(self, gram):
        if not gram:
            return 1 / self.size
        counts, off = self.counts(len(gram)), self.discounts[len(gram) - 1]
        after = {each: count for each, count in counts.items() if each[:-1] == gram[:-1]}
        if not after:
            return self.probability(gram[1:])
        total = sum(after.values())
        count = after.get(gram, 0)
        left = sum(off[min(each, 3)] for each in after.values()) / total
        return (count - off[min(count, 3)]) / total + left * self.probability(gram[1:])


@pytest.mark.parametrize("order", [2, 3])
def test_probabilities_are_those_of_the_definition(order, reviews):
    sentences = reviews[:40]
    found, definition = train(sentences, order), Definition(sentences, order)
    grams = [
        (START, *sentences[3])[: order - 1],
        *[tuple(sentences[row][1 : 1 + order]) for row in range(8)],
        (sentences[0][0], sentences[5][1]),
        ("no-such-word", "food"),
        (END,),
    ]
    for gram in grams:
        gram = gram[-order:]
        known = tuple(word if (word,) in found.tables[0] else UNKNOWN for word in gram)
        if known == (START,):
            continue
        expected = math.log10(definition.probability(known))
        assert found.log10(gram[:-1], gram[-1]) == pytest.approx(expected, abs=2e-6)


def test_after_any_context_the_probabilities_sum_to_one(model, reviews):
    generator = random.Random(1)
    contexts = [[], [START], ["no-such-word"], ["the", "no-such-word"], [START, "the"]]
    for words in generator.sample([each for each in reviews if len(each) > 4], 8):
        place = generator.randrange(len(words) - 2)
        contexts.append(words[place : place + 2])
    vocabulary = [word for (word,) in model.tables[0] if word != START]
    for context in contexts:
        total = math.fsum(10 ** model.log10(context, word) for word in vocabulary)
        assert total == pytest.approx(1, abs=1e-6), context


def test_kenlm_reads_the_same_probabilities(model, reviews, tmp_path):
    pytest.importorskip("kenlm")
    write_arpa(model, tmp_path / "model.arpa")
    kenlm = with_kenlm(tmp_path / "model.arpa")
    unseen = [*reviews[2500:], ["zyx", "was", "zyx"], [], ["😀"], ["שלום"], ["the"] * 10_000]
    for words in unseen:
        per_word = (kenlm(words) - model.negative_log_likelihood(words)) / (len(words) + 1)
        assert abs(per_word) < 1e-5


def test_a_file_that_was_read_and_written_is_the_same(model, tmp_path):
    first, second = tmp_path / "first.arpa", tmp_path / "second.arpa"
    write_arpa(model, first)
    again = read_arpa(first)
    assert again == model
    write_arpa(again, second)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[: len(text) // 2], r"line \d+|no whole ARPA file"),
        (lambda text: text.replace("ngram 2=", "ngram 2=5"), "no whole ARPA file"),
        (lambda text: "", "no whole ARPA file"),
        (
            lambda text: text.replace("\tgood food", "\tgood bad food"),
            r"line \d+: expected a logarithm",
        ),
        (lambda text: text.replace("<unk>", "unknown"), "have no <unk>"),
    ],
)
def test_a_broken_file_says_where(change, words, tmp_path):
    path = tmp_path / "broken.arpa"
    write_arpa(train([["good", "food"], ["good", "good"]], 2), path)
    path.write_text(change(path.read_text()))
    with pytest.raises(ArpaError, match=words):
        read_arpa(path)


@pytest.fixture(scope="module", params=["kenlm", ""], ids=["kenlm", "own"])
def by_style(request, tmp_path_factory):
    """Two models, asked by KenLM and by ourselves."""
    if request.param:
        pytest.importorskip("kenlm")
    folder = tmp_path_factory.mktemp("ngrams")
    texts = {
        "positive": ["The food was great !", "Great staff .", "i love the food ."],
        "negative": ["The food was awful .", "awful staff !", "i hate the food ."],
    }
    NgramsByStyle.write(texts, folder, {"order": 3}, silent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NgramsByStyle, "reader", staticmethod(lambda: request.param))
        yield NgramsByStyle(folder)


def test_odd_texts_are_scored_or_say_why_not(by_style):
    outputs = ["", " ", "great", "😀", "שלום", "<s> </s> <unk>", "food " * 10_000, "food", "food"]
    styles = ["positive"] * 7 + ["formal", ""]
    scorer = NgramPerplexity({}, Resources(language_model=by_style))
    scores = scorer.score(Texts.of(outputs, target_styles=styles))
    assert scores.undefined == {
        0: "the text is empty",
        1: "the text is empty",
        7: "there is no n-gram model of style 'formal'",
        8: "the study does not say which style the text should have",
    }
    assert np.isfinite(scores.values[2:7]).all()
    # Symbols that are written out are signs and letters.
    assert scores.statistics[5, 1] == len(split_words(outputs[5])) + 1 > 4
