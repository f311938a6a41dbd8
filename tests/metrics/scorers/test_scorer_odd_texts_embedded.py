"""Odd texts get a score or a reason from every metric on embeddings, and never stop the others."""

import random
import string
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts
from tests.fixtures.metric_groups import EMBEDDED
from tests.metrics.scorers.test_scorer_odd_texts import ODD


def scores_of(key: str, outputs: list[str], against: list[Any]) -> Any:
    return scorer_class(key)().score(Texts.of(outputs, against))


@pytest.mark.parametrize("key", EMBEDDED)
def test_every_odd_text_has_a_score_or_a_reason_and_changes_no_other(key: str) -> None:
    plain = ["the cat sat", "a dog ran"]
    expected = scores_of(key, plain, ["the cat sits", "a dog runs"]).values
    for against in ("the cat sits", *ODD.values()):
        outputs = [plain[0], *ODD.values(), plain[1]]
        scores = scores_of(key, outputs, ["the cat sits", *[against] * len(ODD), "a dog runs"])
        np.testing.assert_allclose(scores.values[[0, -1]], expected, rtol=0, atol=1e-5)
        undefined = np.flatnonzero(np.isnan(scores.values).any(axis=1)).tolist()
        assert undefined == sorted(scores.undefined)
        assert all(scores.undefined.values())


@pytest.mark.parametrize("key", EMBEDDED)
def test_ten_thousand_words_are_scored(key: str) -> None:
    draw = random.Random(2)
    words = ["".join(draw.choices(string.ascii_lowercase, k=3)) for _ in range(2_000)]
    first, second = (" ".join(draw.choices(words, k=10_000)) for _ in range(2))
    scores = scores_of(key, [first, first], [second, first]).values
    assert not np.isnan(scores).any()
    best = 0.0 if key == "wmd" else 1.0
    assert scores[1] == pytest.approx(best, abs=1e-5)
    assert (np.abs(scores[0] - best) > 1e-4).all()


@pytest.mark.parametrize("key", EMBEDDED)
def test_no_texts_give_no_scores(key: str) -> None:
    assert scores_of(key, [], []).values.shape == (0, len(scorer_class(key).spec.fields))


def test_making_scorers_loads_nothing_heavy() -> None:
    program = (
        "import sys; from metrics.scorers.registry import scorer_class;"
        f"[scorer_class(key)() for key in {EMBEDDED}];"
        "print([name for name in ('torch', 'transformers', 'ot', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
