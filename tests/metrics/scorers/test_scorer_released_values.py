"""BLEU and chrF give the scores that two published studies released."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from metrics.scorers.bleu import Bleu
from metrics.scorers.chrf import Chrf
from metrics.scorers.tokens import tokenizer
from tests.fixtures.released_scores import lai2022, mir2019

MIR_BLEU = {
    "tokenize": "mir2019",
    "smooth_method": "floor",
    "smooth_value": 0.01,
    "effective_order": False,
    "scale": "100",
}


@pytest.mark.parametrize(("compared_to", "count"), [("source", 720), ("reference", 640)])
def test_chrf_of_the_formality_study_is_reached_to_all_four_decimals(
    studies: Path, compared_to: str, count: int
) -> None:
    released = lai2022(studies, "chrf", compared_to)
    scores = Chrf().score(released.texts).values[:, 0]
    assert len(scores) == count
    # They are rounded; half a unit of the fourth decimal may fall to either side.
    np.testing.assert_allclose(scores, released.scores, rtol=0, atol=0.5e-4 + 1e-9)


@pytest.mark.parametrize(
    ("setting", "sharing", "apart"), [("style_removed", 2892, 36), ("style_masked", 2918, 10)]
)
def test_bleu_of_the_sentiment_study_is_reached_wherever_a_token_is_shared(
    studies: Path, setting: str, sharing: int, apart: int
) -> None:
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
