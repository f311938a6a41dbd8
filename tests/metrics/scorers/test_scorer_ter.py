"""TER is what sacreBLEU computes, for sentences and for corpora, and refuses long texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metrics.scorers.scorer import Texts
from metrics.scorers.ter import MOST_WORDS, TOO_LONG, Ter
from tests.metrics.scorers.test_scorer_bleu_and_chrf import random_texts

SETTINGS: list[dict[str, Any]] = [
    {},
    {"lowercase": False},
    {"normalized": True},
    {"normalized": True, "asian_support": True},
    {"no_punct": True, "asian_support": True},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("references", [1, 3])
def test_ter_equals_the_library_under_every_setting(
    settings: dict[str, Any], references: int
) -> None:
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


def test_long_texts_are_refused_in_words_and_left_out_of_the_corpus() -> None:
    long = "word " * (MOST_WORDS + 1)
    texts = Texts.of(["a b", long, "a b"], ["a c", "a c", long])
    scores = Ter().score(texts)
    assert scores.undefined == {1: TOO_LONG, 2: TOO_LONG}
    assert np.isnan(scores.values[1:]).all()
    assert Ter().corpus_score(scores.statistics) == scores.values[0, 0] == 0.5
