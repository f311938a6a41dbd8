"""BLEU and chrF are what sacreBLEU computes, for sentences and for corpora."""

import itertools
import logging
import random
from typing import Any

import numpy as np
import pytest

from metrics.scorers.bleu import Bleu
from metrics.scorers.chrf import Chrf, ChrfPlusPlus
from metrics.scorers.scorer import Texts, Unavailable
from metrics.scorers.spec import main_language
from tests.fixtures.metric_groups import WITH_COUNTS

WORDS = "the a cat dog sat on mat. Mat, is was it's 3.5 well-known & über naïve “so” 好 😀 !"
CHRF_SETTINGS: list[dict[str, Any]] = [
    {},
    {"beta": 1},
    {"lowercase": True},
    {"whitespace": True},
    {"eps_smoothing": True},
]
BLEU_SETTINGS: list[dict[str, Any]] = [
    {"smooth_method": method, "smooth_value": value, "effective_order": effective}
    for (method, value), effective in itertools.product(
        [("exp", 0.1), ("floor", 0.01), ("add-k", 1.0), ("none", 0.1)], [True, False]
    )
]
BLEU_SETTINGS += [{"tokenize": tokenizer} for tokenizer in ("none", "intl", "char", "zh")]
BLEU_SETTINGS += [{"lowercase": True}, *({"max_order": order} for order in (1, 2, 3))]


@pytest.fixture(autouse=True)
def _quiet():
    """Silence sacreBLEU's advice on sentence scores without effective order."""
    logger = logging.getLogger("sacrebleu")
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(logging.WARNING)


def random_texts(count, references, seed=1):
    """Outputs of 1 to 15 words, each near the first of its references; some references recur."""
    draw = random.Random(seed)

    def text():
        return draw.choices(WORDS.split(), k=draw.randint(1, 15))

    against = [tuple(" ".join(text()) for _ in range(references)) for _ in range(count // 3)]
    chosen = [draw.choice(against) for _ in range(count)]
    outputs = [
        " ".join(
            word if draw.random() < 0.6 else draw.choice(WORDS.split()) for word in each[0].split()
        )
        for each in chosen
    ]
    return Texts.of(outputs, chosen)


def library_bleu(settings, *, of_corpus=False):
    from sacrebleu.metrics import BLEU

    named = {"smooth_method": "exp", "effective_order": True} | settings
    order = named.pop("max_order", 4)
    value = named.pop("smooth_value", None)
    if named["smooth_method"] in ("floor", "add-k"):
        named["smooth_value"] = value
    if of_corpus:
        named["effective_order"] = False
    return BLEU(max_ngram_order=order, force=True, **named)


def library_chrf(words, settings):
    from sacrebleu.metrics import CHRF

    return CHRF(word_order=words, **settings)


@pytest.mark.parametrize("settings", BLEU_SETTINGS, ids=str)
@pytest.mark.parametrize("references", [1, 3])
def test_bleu_equals_the_library_under_every_setting(settings, references):
    texts = random_texts(60, references)
    scores = Bleu({**settings, "scale": "100"}).score(texts)
    metric = library_bleu(settings)
    expected = [
        # The library's BLEU of equal texts rounds over 100.
        min(metric.sentence_score(output, list(against)).score, 100)
        for output, against in zip(texts.outputs, texts.against, strict=True)
    ]
    assert scores.values[:, 0].tolist() == expected
    streams = [list(each) for each in zip(*texts.against, strict=True)]
    corpus = library_bleu(settings, of_corpus=True).corpus_score(list(texts.outputs), streams)
    assert Bleu({**settings, "scale": "100"}).corpus_score(scores.statistics) == corpus.score


@pytest.mark.parametrize("settings", CHRF_SETTINGS, ids=str)
@pytest.mark.parametrize("references", [1, 3])
@pytest.mark.parametrize(("scorer", "words"), [(Chrf, 0), (ChrfPlusPlus, 2)])
def test_chrf_equals_the_library_under_every_setting(scorer, words, settings, references):
    texts = random_texts(60, references)
    ours = scorer({**settings, "scale": "100"})
    scores = ours.score(texts)
    metric = library_chrf(words, settings)
    expected = [
        metric.sentence_score(output, list(against)).score
        for output, against in zip(texts.outputs, texts.against, strict=True)
    ]
    assert scores.values[:, 0].tolist() == expected
    streams = [list(each) for each in zip(*texts.against, strict=True)]
    corpus = metric.corpus_score(list(texts.outputs), streams)
    assert ours.corpus_score(scores.statistics) == corpus.score


def test_bleu_of_the_whole_corpus_is_sacrebleus_default_under_our_default():
    from sacrebleu import corpus_bleu

    texts = random_texts(200, 1)
    scorer = Bleu()
    score = scorer.corpus_score(scorer.score(texts).statistics)
    expected = corpus_bleu(list(texts.outputs), [[each for (each,) in texts.against]], force=True)
    assert score == expected.score / 100


@pytest.mark.parametrize("scorer", WITH_COUNTS)
def test_statistics_of_parts_add_up_and_may_come_summed_or_with_missing_rows(scorer):
    texts = random_texts(30, 2)
    metric = scorer()
    statistics = metric.score(texts).statistics
    whole = metric.corpus_score(statistics)
    assert statistics.shape == (30, len(scorer.spec.statistics))
    assert metric.corpus_score(statistics.sum(axis=0)) == whole
    padded = np.vstack([statistics, np.full((1, statistics.shape[1]), np.nan)])
    assert metric.corpus_score(padded) == whole


@pytest.mark.parametrize("scorer", WITH_COUNTS)
def test_a_corpus_score_counts_empty_outputs_and_leaves_out_what_has_no_reference(scorer):
    metric = scorer()
    full = Texts.of(["a cat sat on it", ""], ["a cat sat on the mat", "the dog ran"])
    lacking = Texts.of(["a cat sat on it", "a dog"], ["a cat sat on the mat", ()])
    alone = Texts.of(["a cat sat on it"], ["a cat sat on the mat"])
    of_full, of_lacking, of_alone = (
        metric.corpus_score(metric.score(texts).statistics) for texts in (full, lacking, alone)
    )
    is_lower_better = scorer.spec.orientation == "lower"
    assert of_full > of_alone if is_lower_better else of_full < of_alone
    assert of_lacking == of_alone
    assert np.isnan(metric.corpus_score(metric.score(Texts.of(["a"])).statistics))


def test_sentence_pieces_that_are_not_here_are_refused_with_where_to_put_them(
    monkeypatch, tmp_path
):
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr("sacrebleu.utils.download_file", lambda *_: pytest.fail("downloads"))
    scorer = Bleu({"tokenize": "flores200"})
    place = tmp_path / "models" / "flores200sacrebleuspm"
    for ask in (scorer.fingerprint, lambda: scorer.score(Texts.of(["a"], ["a"]))):
        with pytest.raises(Unavailable, match=f"as {place}, or choose another tokenizer"):
            ask()
    place.parent.mkdir()
    place.write_bytes(b"pieces")
    assert len(scorer.fingerprint()["flores200"]) == 64


@pytest.mark.parametrize(
    ("tag", "tokenizer"),
    [("zh-Hans", "zh"), ("jpn", "ja-mecab"), ("ko_KR", "ko-mecab"), ("de", "13a"), ("", "13a")],
)
def test_the_default_tokenizer_is_that_of_sacrebleu_for_the_language(tag, tokenizer):
    from sacrebleu.metrics import BLEU

    assert Bleu.spec.read({}, tag)["tokenize"] == tokenizer
    assert BLEU._TOKENIZER_MAP.get(main_language(tag), BLEU.TOKENIZER_DEFAULT) == tokenizer
    assert Bleu.spec.read({"tokenize": "char"}, tag)["tokenize"] == "char"
