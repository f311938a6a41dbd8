"""Systems' scores from sums over segments: intervals and paired tests, against sacreBLEU's."""

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.significance import PairedTest

from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.permutation import Permutation
from analysis.stats.systems.system_scores import (
    compare_pairs,
    corpus_scores,
    mean_scores,
    system_scores,
)
from metrics.scorers.bleu import Bleu
from metrics.scorers.chrf import Chrf
from metrics.scorers.scorer import Texts

WORDS = "the a cat dog sat ran on under mat rug and then slept there"
SEGMENTS = 60
FEW = Bootstrap(300, seed=3)


def texts() -> tuple[list[list[str]], list[str]]:
    """Outputs of three systems, of which the second is much and the third a little worse."""
    generator = np.random.default_rng(11)
    references, systems = [], [[], [], []]
    for _ in range(SEGMENTS):
        words = list(generator.choice(WORDS.split(), generator.integers(6, 14)))
        references.append(" ".join(words))
        for outputs, noise in zip(systems, (0.2, 0.4, 0.235), strict=True):
            changed = [
                str(generator.choice(WORDS.split())) if generator.random() < noise else w
                for w in words
            ]
            outputs.append(" ".join(changed))
    return systems, references


def counted(scorer) -> tuple[np.ndarray, list[list[str]], list[str]]:
    systems, references = texts()
    rows = [scorer.score(Texts.of(outputs, references)).statistics for outputs in systems]
    return np.stack(rows, axis=1), systems, references


def results_of(test: PairedTest) -> list:
    """sacreBLEU's results by system; it names them by the metric's own name."""
    _, results = test()
    [name] = set(results) - {"System"}
    return results[name]


@pytest.mark.parametrize(
    ("scorer", "metric"),
    [(Bleu({"scale": "100"}), BLEU()), (Chrf({"scale": "100"}), CHRF())],
    ids=["bleu", "chrf"],
)
def test_corpus_scores_and_their_tests_are_those_of_sacrebleu(scorer, metric) -> None:
    statistics, systems, references = counted(scorer)
    summed = corpus_scores(statistics, scorer.corpus_scores)
    bootstrap, permutation = Bootstrap(4000, seed=5), Permutation(4000, seed=5)
    [scores] = system_scores([summed], bootstrap)
    pairs = compare_pairs(summed, bootstrap, permutation)[:2]
    named = [(f"system {i}", outputs) for i, outputs in enumerate(systems)]
    drawn, swapped = (
        results_of(PairedTest(named, {"it": metric}, [references], test, 4000))
        for test in ("bs", "ar")
    )
    for score, theirs in zip(scores, drawn, strict=True):
        assert score.value == pytest.approx(theirs.score, abs=1e-9)
        half = (score.interval.high - score.interval.low) / 2
        # A 2.5 % quantile of 4,000 draws is known to about 3 % of the half width.
        assert half == pytest.approx(theirs.ci, rel=0.08)
    for pair, by_drawing, by_swapping in zip(pairs, drawn[1:], swapped[1:], strict=True):
        difference = drawn[0].score - by_drawing.score
        assert pair.bootstrap.value == pytest.approx(difference, abs=1e-9)
        assert pair.randomisation.value == pytest.approx(difference, abs=1e-9)
        ours = pair.bootstrap.details["p_as_in_sacrebleu"]
        for p, expected in (
            (ours, by_drawing.p_value),
            (pair.randomisation.p_value, by_swapping.p_value),
        ):
            error = 4 * np.sqrt(2 * expected * (1 - expected) / 4000)
            assert abs(p - expected) <= error + 1e-3
        assert pair.bootstrap.p_value >= ours - 1e-12


def test_segments_that_one_system_lacks_leave_other_pairs_alone() -> None:
    values = np.random.default_rng(4).normal(size=(30, 3))
    whole = compare_pairs(mean_scores(values), FEW)
    values[:7, 2] = np.nan
    cut = compare_pairs(mean_scores(values), FEW)
    for kind in ("bootstrap", "randomisation"):
        before, after = getattr(whole[0], kind), getattr(cut[0], kind)
        assert (after.value, after.p_value) == pytest.approx((before.value, before.p_value))
    assert cut[1].bootstrap.n == 23
    both = values[7:, 0] - values[7:, 2]
    assert cut[1].bootstrap.value == pytest.approx(both.mean())
    [scores] = system_scores([mean_scores(values)], FEW)
    assert scores[2].value == pytest.approx(values[7:, 2].mean())
    assert (scores[2].n, scores[2].details["missing"]) == (23, 7)


@pytest.mark.nightly
def test_false_alarms_stay_at_the_level_and_intervals_cover() -> None:
    studies = 10_000
    # Two equal systems with skewed scores on 80 segments; the table in the docs is of 10,000.
    generator = np.random.default_rng(8)
    alarms, covered = np.zeros(3), 0
    slack = 3 * np.sqrt(0.05 * 0.95 / studies)
    for seed in range(studies):
        values = generator.gamma(2.0, size=(80, 1)) + generator.gamma(1.0, size=(80, 2))
        drawn, swapped = Bootstrap(499, seed=seed), Permutation(499, seed)
        pair = compare_pairs(mean_scores(values), drawn, swapped)[0]
        theirs = pair.bootstrap.details["p_as_in_sacrebleu"]
        p_values = (pair.randomisation.p_value, pair.bootstrap.p_value, theirs)
        alarms += np.array(p_values) <= 0.05
        covered += pair.bootstrap.interval.low <= 0 <= pair.bootstrap.interval.high
    randomisation, bootstrap, sacrebleu = alarms / studies
    assert randomisation == pytest.approx(0.05, abs=slack)
    assert bootstrap == pytest.approx(0.05, abs=slack)
    # Its bootstrap test is one-sided where systems differ, and finds twice as many.
    assert sacrebleu > 0.097 - slack
    assert 0.95 - 0.0135 - slack <= covered / studies <= 0.95 + 0.0135 + slack
