"""ROUGE and METEOR are what their libraries compute."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

from metrics.scorers.meteor import Meteor
from metrics.scorers.rouge import Rouge1, Rouge2, RougeL
from metrics.scorers.scorer import Texts, Unavailable
from metrics.weights import wordnet
from tests.fixtures.machine import missing

ROUGE = [(Rouge1, "rouge1"), (Rouge2, "rouge2"), (RougeL, "rougeL")]
# Words with common stems and synonyms, so that every stage of METEOR finds something.
WORDS = (
    "the car cars auto automobile drives drove driving quickly quick fast child kid kids baby "
    "children Happy glad was is going goes went to home house, homes . ! can't it's 42"
)


def random_pairs(count, references=1, seed=3):
    draw = random.Random(seed)

    def text():
        return " ".join(draw.choices(WORDS.split(), k=draw.randint(2, 14)))

    against = [tuple(text() for _ in range(references)) for _ in range(count)]
    return Texts.of([text() for _ in range(count)], against)


@pytest.fixture(scope="module")
def english():
    """WordNet, read by NLTK itself from a folder laid out as NLTK has it."""
    try:
        return wordnet.load()
    except Unavailable:
        missing("WordNet (Debian: wordnet-base)")


@pytest.mark.parametrize(("scorer", "name"), ROUGE)
@pytest.mark.parametrize("stems", [False, True])
@pytest.mark.parametrize("references", [1, 3])
def test_rouge_equals_rouge_score(scorer, name, stems, references):
    from rouge_score.rouge_scorer import RougeScorer

    library = RougeScorer([name], use_stemmer=stems)
    texts = random_pairs(100, references)
    tokenize = "rouge-stems" if stems else "rouge"
    expected = [
        library.score_multi(against, output)[name].fmeasure
        for output, against in zip(texts.outputs, texts.against, strict=True)
    ]
    scores = scorer({"tokenize": tokenize}).score(texts).values[:, 0]
    assert scores.tolist() == expected
    assert 0 < np.mean(scores) < 1


def characters(text):
    return [sign for sign in text if not sign.isspace()]


@pytest.mark.parametrize(("scorer", "name"), ROUGE)
@pytest.mark.parametrize(("tokenize", "split"), [("none", str.split), ("characters", characters)])
def test_rouge_by_other_tokens_equals_rouge_score_with_such_a_tokenizer(
    scorer, name, tokenize, split
):
    from rouge_score.rouge_scorer import RougeScorer

    library = RougeScorer([name], tokenizer=SimpleNamespace(tokenize=split))
    texts = random_pairs(50)
    expected = [
        library.score(reference, output)[name].fmeasure
        for output, (reference,) in zip(texts.outputs, texts.against, strict=True)
    ]
    assert scorer({"tokenize": tokenize}).score(texts).values[:, 0].tolist() == expected


@pytest.mark.parametrize("parameters", [{}, {"alpha": 0.5, "beta": 1.5, "gamma": 0.3}], ids=str)
def test_meteor_equals_nltk(english, parameters):
    from nltk.translate.meteor_score import meteor_score

    texts = random_pairs(150, references=2)
    expected = [
        meteor_score(
            [each.split() for each in against], output.split(), wordnet=english, **parameters
        )
        for output, against in zip(texts.outputs, texts.against, strict=True)
    ]
    scores = Meteor({"tokenize": "none", **parameters}).score(texts).values[:, 0]
    assert scores.tolist() == expected
