"""Means, Joint and corpus scores, equal to SciPy, the paper and sacreBLEU."""

import math

import numpy as np
import pytest
from scipy import stats

from metrics.scorers.bleu import Bleu
from metrics.scorers.chrf import Chrf, ChrfPlusPlus
from metrics.scorers.combination import PartScores, combine, joint, joint_with_fluency
from metrics.scorers.overall import OverallMean
from metrics.scorers.scorer import Texts
from tests.fixtures.metric_groups import WITH_COUNTS

GENERATOR = np.random.default_rng(1)
NO_TEXTS = Texts.of([])
SCORES = GENERATOR.uniform(0.01, 1, (50, 3))


@pytest.mark.parametrize("weights", [None, (1, 1, 1), (0.2, 3, 1), (1, 0, 2)])
def test_means_are_those_of_scipy(weights):
    geometric = stats.gmean(SCORES, axis=1, weights=weights)
    harmonic = stats.hmean(SCORES, axis=1, weights=weights)
    assert combine(SCORES, weights) == pytest.approx(geometric)
    assert combine(SCORES, weights, "harmonic") == pytest.approx(harmonic)


@pytest.mark.parametrize("kind", ["geometric", "harmonic"])
def test_zero_makes_the_mean_zero_and_missing_stays_missing(kind):
    values = [[0, 0.5], [np.nan, 0.5], [-0.1, 0.5], [0, np.nan], [0, 0]]
    found = combine(values, kind=kind)  # type: ignore[arg-type]
    assert found[[0, 4]].tolist() == [0, 0]
    assert np.isnan(found[1:4]).all()


def test_joint_is_the_cube_root_of_its_factors():
    # 0.9 · 0.4 / 4 = 0.09, whose cube root is 0.448140474655716.
    assert joint(0.9, 0.4, math.exp(4)) == pytest.approx(0.448140474655716)
    assert joint_with_fluency(0.9, 0.4, 0.25) == pytest.approx(0.448140474655716)


def parts(*columns, lower=False):
    names = ("style", "bleu", "perplexity")
    last = len(columns) - 1
    return [
        PartScores(name, np.array(values), lower and place == last)
        for place, (name, values) in enumerate(zip(names, columns, strict=False))
    ]


def combined(parameters, *columns, lower=False):
    return OverallMean({"parts": "a, b"} | parameters).combine(
        NO_TEXTS, parts(*columns, lower=lower)
    )


@pytest.mark.parametrize("kind", ["geometric", "harmonic"])
def test_a_part_that_is_not_positive_leaves_the_mean_undefined_unless_zero_is_asked_for(kind):
    columns = [0.0, 0.5, -0.5, 0.25], [0.5, 0.5, 0.5, 1.0]
    found = combined({"kind": kind}, *columns)
    assert np.isnan(found.values[:, 0]).tolist() == [True, False, True, False]
    assert found.undefined[0] == f"style is 0, and a {kind} mean takes positive scores"
    allowed = combined({"kind": kind, "zero": "0"}, *columns)
    assert allowed.values[0, 0] == 0
    assert allowed.undefined[2] == f"style is -0.5, and a {kind} mean takes scores from 0 on"
    scipys = stats.gmean if kind == "geometric" else stats.hmean
    assert allowed.values[3, 0] == pytest.approx(scipys([0.25, 1.0]))


def test_an_undefined_part_is_named_with_its_own_reason():
    given = parts([np.nan, 0.5], [0.5, np.nan])
    given[0] = PartScores("style", given[0].values, undefined={0: "the text is empty"})
    found = OverallMean({"parts": "a,b", "kind": "arithmetic"}).combine(NO_TEXTS, given)
    assert found.undefined == {0: "style is undefined: the text is empty", 1: "bleu is undefined"}


@pytest.mark.parametrize(
    ("rule", "expected", "words"),
    [
        ("reciprocal", 1 / 4, ""),
        ("reciprocal-log", 1 / math.log(4), "perplexity is 1: 1 / ln x needs more than 1"),
        ("one-minus", 1 - 4, ""),
    ],
)
def test_a_part_whose_lower_scores_are_better_is_turned_as_asked(rule, expected, words):
    given = {"parts": "a,b,c", "kind": "arithmetic", "lower": rule, "weights": "0,0,1"}
    found = OverallMean(given).combine(
        NO_TEXTS, parts([1.0, 1.0], [1.0, 1.0], [4.0, 1.0], lower=True)
    )
    assert found.values[0, 0] == pytest.approx(expected)
    assert found.undefined.get(1, "") == words


@pytest.mark.parametrize("function", [joint, joint_with_fluency])
def test_weights_of_joint_are_those_of_a_weighted_geometric_mean(function):
    accuracy, bleu, last = [0.9, 0.2, 0.0], [0.4, 0.7, 0.5], [0.5, 0.9, 0.8]
    given = [math.exp(1 / each) for each in last] if function is joint else last
    equal = function(accuracy, bleu, given)
    np.testing.assert_allclose(function(accuracy, bleu, given, weights=(3, 3, 3)), equal)
    found = function(accuracy, bleu, given, weights=(3, 1, 0.5), scale=100)
    scaled = np.column_stack([np.multiply(accuracy, 100), np.multiply(bleu, 100), last])
    expected = stats.gmean(scaled, axis=1, weights=np.tile([3, 1, 0.5], (3, 1)))
    np.testing.assert_allclose(found, expected)
    missing = function([0.9], [0.4], [math.nan], weights=(1, 1, 0))
    assert missing[0] == pytest.approx(math.sqrt(0.9 * 0.4))


WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "rug", "quickly", ",", "."]
BLEU = [
    {"smooth_method": method, "max_order": order}
    for method in ("exp", "floor", "add-k", "none")
    for order in (1, 3, 4)
]
CHRF = [{}, {"beta": 1}, {"eps_smoothing": True}, {"scale": "100"}]
CASES = [(Bleu, each) for each in BLEU] + [(k, each) for k in (Chrf, ChrfPlusPlus) for each in CHRF]
CASES += [(kind, {}) for kind in WITH_COUNTS if kind not in (Bleu, Chrf, ChrfPlusPlus)]


def sentences(n, seed):
    generator = np.random.default_rng(seed)
    return [" ".join(generator.choice(WORDS, generator.integers(1, 8))) for _ in range(n)]


def sums(scorer):
    """Sums over subsets of every size, and of nothing."""
    outputs, references = sentences(60, 1), sentences(60, 2)
    outputs[3] = ""
    statistics = scorer.score(Texts.of(outputs, references)).statistics  # type: ignore[attr-defined]
    subsets = np.random.default_rng(3).random((80, 60)) < np.linspace(0, 0.6, 80)[:, None]
    subsets[1:40] = np.eye(60, dtype=bool)[:39]
    return np.asarray(subsets @ statistics)


@pytest.mark.parametrize(("kind", "parameters"), CASES)
def test_counts_of_many_corpora_score_as_sacrebleu_scores_each(kind, parameters):
    scorer = kind(parameters)
    found = sums(scorer)
    alone = [scorer.corpus_score(row) for row in found]
    assert scorer.corpus_scores(found) == pytest.approx(alone, rel=1e-12, abs=1e-14, nan_ok=True)
    assert np.isnan(alone).any()
    assert scorer.corpus_scores(found.reshape(8, 10, -1)).shape == (8, 10)
    assert scorer.has_corpus_score
