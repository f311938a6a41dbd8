"""Style metrics: what they read of a classifier, and what they say where nothing can be said."""

import numpy as np
import pytest

from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Resources, Texts, Unavailable
from metrics.scorers.style import EMPTY, EMPTY_SOURCE, NO_ROOM, NO_TARGET, SCORERS
from tests.fixtures.style_texts import graded_reviews, trained

STYLES = ("formal", "informal", "rude")
TABLE = {
    "hello": (0.2, 0.7, 0.1),
    "good day": (0.9, 0.08, 0.02),
    "oi": (0.05, 0.15, 0.8),
    "tie": (0.4, 0.4, 0.2),
    "certain": (1.0, 0.0, 0.0),
}


class Table:
    """A classifier that looks distributions up, and remembers what it was asked."""

    def __init__(self, styles=STYLES):
        self.styles = tuple(styles)
        self.sha256 = "ab" * 32
        self.asked: list[tuple[str, int]] = []

    def predict(self, texts, segments):
        self.asked += zip(texts, segments, strict=True)
        return np.array([TABLE.get(text, (0.3, 0.3, 0.4)) for text in texts])[:, : len(self.styles)]


def score(key, texts, classifier=None):
    resources = Resources(classifier=classifier or Table())
    return scorer_class(key)(resources=resources).score(texts)


def transfer(outputs, sources, targets):
    return Texts.of(outputs, sources, sources=sources, target_styles=targets, segments=None)


def test_probability_and_accuracy_speak_of_the_target_style():
    texts = transfer(["hello", "hello", "tie", "tie"], ["oi"] * 4, [*STYLES[:2], *STYLES[:2]])
    assert score("target-style-probability", texts).values[:, 0].tolist() == [0.2, 0.7, 0.4, 0.4]
    assert score("style-accuracy", texts).values[:, 0].tolist() == [0, 1, 1, 0]


def test_intensity_share_and_change_of_a_transfer_and_of_its_opposite():
    texts = transfer(["good day", "hello", "oi"], ["hello", "good day", "hello"], ["formal"] * 3)
    np.testing.assert_allclose(score("sti", texts).values[:, 0], [0.7, -0.7, -0.7])
    np.testing.assert_allclose(score("style-change", texts).values[:, 0], [0.7, -0.7, -0.15])
    shares = [0.7 / 0.8, -0.7 / 0.9, -0.15 / 0.2]
    np.testing.assert_allclose(score("sti-share", texts).values[:, 0], shares)


def test_intensity_is_the_cost_of_transport_that_pot_finds():
    import ot

    names = list(TABLE)
    pairs = [(p, q) for p in names for q in names]
    texts = transfer([q for _, q in pairs], [p for p, _ in pairs], ["rude"] * len(pairs))
    costs = 1 - np.eye(3)
    expected = [ot.emd2(np.array(TABLE[p]), np.array(TABLE[q]), costs) for p, q in pairs]
    found = score("sti", texts).values[:, 0]
    np.testing.assert_allclose(np.abs(found), expected, atol=1e-12)
    falls = [TABLE[q][2] < TABLE[p][2] for p, q in pairs]
    assert [value < 0 for value in found.tolist()] == falls


def test_a_source_that_has_the_target_style_needs_no_transfer_whatever_was_made_of_it():
    texts = transfer(["", "oi", "oi"], ["hello", "hello", "tie"], ["informal", "formal", "formal"])
    found = score("transfer-needed", texts)
    assert found.values[:, 0].tolist() == [0, 1, 0]
    assert not found.undefined


def test_a_regressor_gives_its_grade_and_says_of_what_it_speaks():
    model = trained("bag-of-words", graded_reviews())
    scorer = scorer_class("style-score")({"midpoint": "0.5"}, Resources(classifier=model))
    found = scorer.score(Texts.of(["the soup was great", "", "rude waiter"]))
    expected = model.predict(["the soup was great", "rude waiter"])
    np.testing.assert_allclose(found.values[[0, 2]], expected)
    assert (scorer.speaks_of, scorer.midpoint) == ("positive", 0.5)
    assert found.undefined == {1: EMPTY}


def test_what_cannot_be_said_has_its_reason_and_stops_nothing():
    outputs = ["hello", "", "hello", "hello", "hello", "certain"]
    sources = ["oi", "oi", " ", "oi", "oi", "certain"]
    targets = ["formal", "formal", "formal", "", "poetic", "formal"]
    found = score("sti-share", transfer(outputs, sources, targets))
    assert np.isnan(found.values[:, 0]).tolist() == [False, *[True] * 5]
    assert found.undefined == {
        1: EMPTY,
        2: EMPTY_SOURCE,
        3: NO_TARGET,
        4: "the classifier does not know the style 'poetic', only formal, informal, rude",
        5: NO_ROOM,
    }
    assert set(score("sti", transfer(outputs, sources, targets)).undefined) == {1, 2, 3, 4}


@pytest.mark.parametrize("scorer", SCORERS)
def test_a_model_that_is_lacking_or_does_not_fit_is_said(scorer):
    with pytest.raises(Unavailable, match="needs a trained style model: train one on the page"):
        scorer().score(Texts.of(["hello"]))
    wrong = Table() if "regressor" in scorer.spec.needs else Table(["formal"])
    words = "needs a (classifier, and this model grades 'formal'|model of graded texts)"
    with pytest.raises(Unavailable, match=words):
        scorer(resources=Resources(classifier=wrong)).fingerprint()
