"""Odd texts get a score or a reason from every metric, and never stop the others."""

import random
import string
import subprocess
import sys

import numpy as np
import pytest

from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts, Unavailable
from metrics.weights import wordnet
from tests.fixtures.by_night import by_night
from tests.fixtures.machine import missing
from tests.fixtures.metric_groups import EMBEDDED, LEXICAL, OVERLAP

ODD = {
    "one token": "ok",
    "one sign": "!",
    "emojis": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽",
    "right to left": "مرحبا بالعالم، كيف الحال؟",
    "combining marks": "z̷̢̛a̴l̵g̶o",
    "no blanks": "这是一个句子。",
    "line breaks": "one\r\n\ntwo\u2028three\x0b",
    "controls": "a\x00b\x1f\ufeff\u200b",
    "lone surrogate": "a \ud800 b",
    "entities": "&amp;lt; <skipped> &quot;",
    "regular expressions": r"(\1) [a-z]* $^ \\",
    "blanks only": " \t\u00a0\u3000\n",
    "nothing": "",
}


@pytest.fixture(autouse=True)
def _wordnet(request):
    if "meteor" in request.node.name:
        try:
            wordnet.load()
        except Unavailable:
            missing("WordNet (Debian: wordnet-base)")


def scores_of(key, outputs, against):
    return scorer_class(key)().score(Texts.of(outputs, against))


@pytest.mark.parametrize("key", [*LEXICAL, *EMBEDDED])
def test_every_odd_text_has_a_score_or_a_reason_and_changes_no_other(key):
    plain = ["the cat sat", "a dog ran"]
    expected = scores_of(key, plain, ["the cat sits", "a dog runs"]).values
    outputs = [plain[0], *ODD.values(), plain[1]]
    for against in ("the cat sits", *ODD.values()):
        scores = scores_of(key, outputs, ["the cat sits", *[against] * len(ODD), "a dog runs"])
        tolerance = 1e-5 if key in EMBEDDED else 0
        np.testing.assert_allclose(scores.values[[0, -1]], expected, rtol=0, atol=tolerance)
        undefined = np.flatnonzero(np.isnan(scores.values).any(axis=1)).tolist()
        assert undefined == sorted(scores.undefined)
        assert all(scores.undefined.values())
        assert np.isfinite(scores.statistics).all()


@pytest.mark.parametrize("key", OVERLAP)
def test_a_copy_is_the_best_there_is_and_unrelated_text_the_worst(key):
    copy, near, unrelated = scores_of(
        key, ["my cat sat here today", "my cat sat", "xqz vvv"], ["my cat sat here today"] * 3
    ).values[:, 0]
    if scorer_class(key).spec.orientation == "lower":
        assert copy == 0 < near < unrelated <= 1
    else:
        assert copy == pytest.approx(1, abs=0.005)
        assert copy > near > unrelated >= 0


@pytest.mark.parametrize("key", [*by_night(LEXICAL, "rouge-l", "ter"), *by_night(EMBEDDED, "wmd")])
def test_ten_thousand_words_are_scored_or_said_to_be_too_many(key):
    draw = random.Random(2)
    words = ["".join(draw.choices(string.ascii_lowercase, k=3)) for _ in range(2_000)]
    first, second = (" ".join(draw.choices(words, k=10_000)) for _ in range(2))
    scores = scores_of(key, [first, first], [second, first])
    if key in EMBEDDED:
        best = 0.0 if key == "wmd" else 1.0
        assert scores.values[1] == pytest.approx(best, abs=1e-5)
        assert (np.abs(scores.values[0] - best) > 1e-4).all()
    assert np.flatnonzero(np.isnan(scores.values[:, 0])).tolist() == list(scores.undefined)
    assert all("words" in reason for reason in scores.undefined.values())


@pytest.mark.parametrize("key", [*LEXICAL, *EMBEDDED])
def test_no_texts_give_no_scores(key):
    assert scores_of(key, [], []).values.shape == (0, len(scorer_class(key).spec.fields))


def test_making_scorers_loads_nothing_heavy():
    program = (
        "import sys; from metrics.scorers.registry import scorer_class;"
        f"[scorer_class(key)() for key in {EMBEDDED}];"
        "print([name for name in ('torch', 'transformers', 'ot', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
