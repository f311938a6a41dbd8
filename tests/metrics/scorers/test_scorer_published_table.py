"""Scores that studies released, reached as the page of documentation says."""

import re

import numpy as np
import pytest

from metrics.scorers.bleu import Bleu
from metrics.scorers.chrf import Chrf
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts, Unavailable
from metrics.scorers.tokens import tokenizer
from tests.fixtures.by_night import by_night
from tests.fixtures.machine import ROOT, missing
from tests.fixtures.released_scores import Released, lai2022, mir2019

PAGE = ROOT / "docs" / "metrics" / "published.md"
ROUNDED = 0.5e-4 + 1e-9
"""What a value rounded to four decimals may differ by."""


def changed(texts, change):
    against = [tuple(change(each) for each in some) for some in texts.against]
    return Texts.of([change(output) for output in texts.outputs], against)


def words_of_nltk(text):
    from nltk.tokenize import NLTKWordTokenizer

    return " ".join(NLTKWordTokenizer().tokenize(text))


def released(studies, study, metric, compared, texts):
    if study == "mir2019":
        return mir2019(studies, metric, compared)
    found = lai2022(studies, metric, compared)
    if texts == "NLTK's words":
        return Released(changed(found.texts, words_of_nltk), found.scores)
    return found


def rows():
    """Rows of the page's tables: study, metric, compared, texts, setting, and four numbers."""
    lines = re.findall(r"^\| (?:lai|mir)20.*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [tuple(cell.strip(" `") for cell in line.strip("|").split("|")) for line in lines]


IN_EVERY_RUN = {("chrf", "source"), ("bleu", "reference"), ("rouge-l", "source")}
"""By night all rows of the page."""


@pytest.mark.parametrize(
    "row",
    by_night(rows(), *(row for row in rows() if row[1:3] in IN_EVERY_RUN)),
    ids=lambda row: " ".join(row[:5]),
)
def test_every_row_of_the_page_is_what_comes_out(studies, row):
    study, metric, compared, texts, setting, *numbers = row
    found = released(studies, study, metric, compared, texts)
    key, *parameters = setting.split()
    scorer = scorer_class(key)(dict(each.split("=") for each in parameters))
    try:
        scores = scorer.score(found.texts).values[:, 0]
    except Unavailable as error:
        missing(str(error))
    defined = ~np.isnan(scores)
    ours, theirs = scores[defined], found.scores[defined]
    difference = np.abs(ours - theirs)
    equal = int((difference <= (1e-6 if study == "mir2019" else ROUNDED)).sum())
    correlation = np.corrcoef(ours, theirs)[0, 1]
    computed = [f"{len(scores):,}", f"{equal:,}", f"{difference.mean():.3f}", f"{correlation:.3f}"]
    assert computed == numbers


@pytest.mark.parametrize(
    ("metric", "size", "equal"), [("rouge-1", 1, 1_342), ("rouge-2", 2, 1_335)]
)
def test_released_rouge_counts_each_different_word_once(studies, metric, size, equal):
    def ngrams(text):
        words = words_of_nltk(text).replace(".", " ").split()
        return set(zip(*(words[start:] for start in range(size)), strict=False))

    reached = 0
    for compared in ("source", "reference"):
        found = lai2022(studies, metric, compared)
        for output, (against,), score in zip(
            found.texts.outputs, found.texts.against, found.scores, strict=True
        ):
            first, second = ngrams(output), ngrams(against)
            reached += abs(2 * len(first & second) / (len(first) + len(second)) - score) <= ROUNDED
    assert f"{reached:,}" == f"{equal:,}"
    assert f"{equal:,} of 1,360" in PAGE.read_text(encoding="utf-8")


MIR_BLEU = {
    "tokenize": "mir2019",
    "smooth_method": "floor",
    "smooth_value": 0.01,
    "effective_order": False,
    "scale": "100",
}


@pytest.mark.parametrize(("compared_to", "count"), [("source", 720), ("reference", 640)])
def test_chrf_of_the_formality_study_is_reached_to_all_four_decimals(studies, compared_to, count):
    released = lai2022(studies, "chrf", compared_to)
    scores = Chrf().score(released.texts).values[:, 0]
    assert len(scores) == count
    # They are rounded; half a unit of the fourth decimal may fall to either side.
    np.testing.assert_allclose(scores, released.scores, rtol=0, atol=0.5e-4 + 1e-9)


@pytest.mark.parametrize(
    ("setting", "sharing", "apart"), [("style_removed", 2892, 36), ("style_masked", 2918, 10)]
)
def test_bleu_of_the_sentiment_study_is_reached_wherever_a_token_is_shared(
    studies, setting, sharing, apart
):
    released = mir2019(studies, "BLEU", setting)
    scores = Bleu(MIR_BLEU).score(released.texts).values[:, 0]
    tokens = tokenizer("mir2019")
    shares = np.array(
        [
            bool(set(tokens(output).split()) & set(tokens(source).split()))
            for output, (source,) in zip(
                released.texts.outputs, released.texts.against, strict=True
            )
        ]
    )
    assert (shares.sum(), (~shares).sum()) == (sharing, apart)
    np.testing.assert_allclose(scores[shares], released.scores[shares], rtol=0, atol=1e-9)
    # Before 2.0 sacreBLEU smoothed these as well; today a text that shares nothing has 0.
    assert np.all(scores[~shares] == 0)
    assert np.all(released.scores[~shares] < 0.5)
