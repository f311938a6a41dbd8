"""A guarded scorer asks for equal rows once, and survives texts that its scorer fails on."""

import numpy as np
import pytest
from django.db import OperationalError

from metrics.scorers.guarded import GuardedScorer, ScorerFails
from metrics.scorers.scorer import Scorer, Scores, Texts
from metrics.scorers.spec import MetricSpec


def spec(**others):
    facts = {"formula": "", "range": "", "distrust": "", "citation": ""}
    facts |= {"key": "test", "title": "", "aspect": "content", "orientation": "higher"}
    return MetricSpec(**{**facts, **others})


class Recording(Scorer):
    """Length of the output; writes down what it was asked."""

    spec = spec()

    def __init__(self):
        super().__init__()
        self.calls: list[Texts] = []

    def score(self, texts):
        self.calls.append(texts)
        if any("bad" in text for text in texts.outputs):
            raise ValueError("no")
        return Scores(np.array([[len(text)] for text in texts.outputs], dtype=float))

    @property
    def asked(self):
        return [text for call in self.calls for text in call.outputs]


def test_equal_rows_are_asked_for_once_and_keep_their_places():
    scorer = Recording()
    scores = GuardedScorer(scorer).score(Texts.of(["aa", "b", "aa", "ccc", "b"]))
    assert scores.values[:, 0].tolist() == [2, 1, 2, 3, 1]
    assert sorted(scorer.asked) == ["aa", "b", "ccc"]


def test_rows_of_former_blocks_are_remembered_up_to_a_bound():
    scorer = Recording()
    guarded = GuardedScorer(scorer, remember=3)
    guarded.score(Texts.of(list("abcd")))
    guarded.score(Texts.of(list("dcb")))
    assert len(scorer.asked) == 4
    guarded.score(Texts.of(["a"]))
    assert scorer.asked[-1] == "a"
    assert len(scorer.asked) == 5


def test_texts_that_fail_are_found_by_halves():
    scorer = Recording()
    texts = [f"text {n}" for n in range(64)]
    texts[17] = texts[18] = "bad"
    texts[40] = "very bad"
    scores = GuardedScorer(scorer).score(Texts.of(texts))
    assert sorted(scores.undefined) == [17, 18, 40]
    assert np.isnan(scores.values[:, 0]).sum() == 3
    assert set(scores.undefined.values()) == {"the metric fails on this text: ValueError: no"}
    # Two different texts among 63: at most two ways down from the whole, two calls a step.
    assert len(scorer.calls) <= 1 + 2 * 2 * 6


def test_a_scorer_that_fails_on_all_of_many_texts_is_broken():
    with pytest.raises(ScorerFails, match="fails on every text: ValueError: no"):
        GuardedScorer(Recording()).score(Texts.of([f"bad {n}" for n in range(20)]))
    few = GuardedScorer(Recording()).score(Texts.of(["bad 1", "bad 2"]))
    assert set(few.undefined) == {0, 1}


def test_a_database_that_fails_for_a_moment_is_no_fault_of_a_text():
    class Reading(Recording):
        def score(self, texts):
            self.calls.append(texts)
            raise OperationalError("database is locked")

    scorer = Reading()
    with pytest.raises(OperationalError, match="is locked"):
        GuardedScorer(scorer).score(Texts.of(["a", "b", "c"]))
    assert len(scorer.calls) == 1


def test_an_answer_of_another_shape_is_a_failure_and_never_a_score():
    class Short(Recording):
        def score(self, texts):
            return Scores(np.zeros((len(texts) + 1, 1)))

    scores = GuardedScorer(Short()).score(Texts.of(["a"]))
    assert "returned (2, 1) values" in scores.undefined[0]


@pytest.mark.parametrize(
    ("needs", "seen", "calls"),
    [
        (set(), ("", "", "", ""), 1),
        ({"source"}, ("s0", "x", "y", ""), 2),
        ({"styles"}, ("s0", "x", "y", ""), 2),
        ({"source", "naturalness"}, ("s0", "x", "y", "m0"), 3),
    ],
)
def test_a_scorer_sees_what_it_has_declared_and_rows_differ_by_that_alone(needs, seen, calls):
    class Needing(Recording):
        pass

    Needing.spec = spec(needs=frozenset(needs))
    scorer = Needing()
    texts = Texts.of(
        ["a", "a", "a"],
        sources=["s0", "s1", "s0"],
        source_styles=["x"] * 3,
        target_styles=["y"] * 3,
        segments=[5, 6, 5],
        systems=["m0", "m0", "m1"],
    )
    GuardedScorer(scorer).score(texts)
    [call] = scorer.calls
    assert len(call) == calls
    given = (call.sources, call.source_styles, call.target_styles, call.systems)
    assert tuple(column[0] for column in given) == seen
