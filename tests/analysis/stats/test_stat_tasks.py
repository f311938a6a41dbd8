"""Statistics over several tasks, compared with what plain loops find."""

from itertools import combinations

import numpy as np
import pytest
import scipy

from analysis.stats.tasks import joint_comparison
from analysis.stats.tasks.joint_comparison import (
    Column,
    Part,
    Units,
    compare_over_tasks,
    greedy_ranks,
)
from analysis.stats.tasks.task_statistics import (
    SystemRanks,
    pearson_by_unit,
    soft_system_pairs,
    system_pair_accuracy,
)

PAIRS = list(combinations(range(4), 2))


@pytest.fixture
def human():
    return np.random.default_rng(1).integers(0, 4, (9, 5)).astype(float)


@pytest.fixture
def metrics(human):
    generator = np.random.default_rng(2)
    noise = generator.normal(size=(4, *human.shape)) * np.array([0.3, 1, 3, 9])[:, None, None]
    return np.round(human + noise, 1)


@pytest.fixture
def bits():
    return np.random.default_rng(3).integers(0, 2, (9, 40)).astype(float)


def swapped(first, second, coins):
    """Return both sides after rows change places where a coin says so."""
    coins = coins.astype(bool).reshape(-1, *[1] * (first.ndim - 1))
    return np.where(coins, second, first), np.where(coins, first, second)


def scaled(scores, present):
    return (scores - scores[present].mean()) / scores[present].std()


def pooled_r(metric, human):
    both = np.isfinite(metric) & np.isfinite(human)
    return scipy.stats.pearsonr(metric[both], human[both])[0]


# Sums over units


def test_swapped_r_is_that_of_swapped_scores(metrics, human, bits):
    human[2, 1] = np.nan
    rated = np.isfinite(human)
    found = pearson_by_unit(metrics, human).differences(PAIRS, bits)
    for row, (first, second) in zip(found, PAIRS, strict=True):
        both = scaled(metrics[first], rated), scaled(metrics[second], rated)
        sides = [swapped(*both, coins) for coins in bits.T]
        expected = [pooled_r(one, human) - pooled_r(other, human) for one, other in sides]
        assert row == pytest.approx(expected, abs=1e-12)


def test_resampled_r_is_that_of_repeated_rows(metrics, human):
    counts = np.random.default_rng(4).multinomial(9, np.full(9, 1 / 9), 20)
    found = pearson_by_unit(metrics, human).resampled(counts.T.astype(float))
    for place, count in enumerate(counts):
        rows = np.repeat(np.arange(9), count)
        expected = [pooled_r(metric[rows], human[rows]) for metric in metrics]
        assert found[:, place] == pytest.approx(expected, abs=1e-12)


# Pairs of systems


@pytest.fixture
def of_systems():
    human = np.array([3.0, 1.0, 2.0, 2.0, 5.0, 0.0])
    generator = np.random.default_rng(6)
    return human, np.round(human + generator.normal(size=(4, 6)) * 2)


def test_resampled_systems_are_no_pair_with_their_copies(of_systems):
    human, metrics = of_systems
    counts = np.array([3, 0, 1, 1, 1, 0])
    found = system_pair_accuracy(metrics, human).resampled(counts[:, None].astype(float))
    drawn = np.repeat(np.arange(6), counts)
    pairs = [(i, j) for i, j in combinations(drawn, 2) if i != j]
    for value, metric in zip(found[:, 0], metrics, strict=True):
        agree = [np.sign(metric[i] - metric[j]) == np.sign(human[i] - human[j]) for i, j in pairs]
        assert value == pytest.approx(np.mean(agree), abs=1e-12)


def test_swapped_soft_accuracy_is_that_of_swapped_systems(metrics, human):
    metrics = np.stack([scaled(each, np.isfinite(each)) for each in metrics])
    bits = np.random.default_rng(10).integers(0, 2, (5, 30)).astype(float)
    draws = {"draws": 200, "seed": 11}
    forms = soft_system_pairs(metrics, human, **draws)
    found = forms.differences(PAIRS, bits)
    for row, (first, second) in zip(found, PAIRS, strict=True):
        for value, coins in zip(row, bits.T, strict=True):
            sides = swapped(metrics[first].T, metrics[second].T, coins)
            both = np.stack([side.T for side in sides])
            # As given: standardising anew would move them, and no order with it.
            one, other = soft_system_pairs(both, human, **draws).values
            assert value == pytest.approx(one - other, abs=0.05)
        assert np.abs(row).max() > 0


# Ranks of systems


@pytest.mark.parametrize("coefficient", ["spearman", "kendall-tau-b"])
def test_rank_correlations_are_scipys_as_they_are_swapped_and_resampled(of_systems, coefficient):
    human, _ = of_systems
    metrics = np.random.default_rng(12).permutation(np.arange(24.0)).reshape(4, 6)
    scipys = {"spearman": scipy.stats.spearmanr, "kendall-tau-b": scipy.stats.kendalltau}
    compute = scipys[coefficient]
    statistic = SystemRanks(metrics, human, coefficient)
    assert statistic.values == pytest.approx([compute(m, human)[0] for m in metrics], abs=1e-12)
    bits = np.random.default_rng(13).integers(0, 2, (6, 32)).astype(float)
    one_scale = (metrics - metrics.mean(1, keepdims=True)) / metrics.std(1, keepdims=True)
    for row, (i, j) in zip(statistic.differences(PAIRS, bits), PAIRS, strict=True):
        sides = [swapped(one_scale[i], one_scale[j], coins) for coins in bits.T]
        expected = [compute(one, human)[0] - compute(other, human)[0] for one, other in sides]
        assert row == pytest.approx(expected, abs=1e-12)
    counts = np.array([[2, 1, 1, 1, 1, 0], [1, 0, 2, 0, 2, 1]])
    for place, count in enumerate(counts):
        drawn = np.repeat(np.arange(6), count)
        expected = [compute(metric[drawn], human[drawn])[0] for metric in metrics]
        found = statistic.resampled(counts.T.astype(float))[:, place]
        assert found == pytest.approx(expected, abs=1e-12)


# Ranks


def test_a_rank_begins_with_who_loses_to_somebody_of_the_last_one():
    values = [0.5, 0.9, 0.8, 0.7, np.nan]
    p = np.full((5, 5), 0.5)
    p[1, 3] = 0.01  # the best beats the third best
    p[3, 0] = 0.2
    p[1, 0] = 0.01  # the best is of an earlier rank then: this says nothing
    assert greedy_ranks(values, p) == [2, 1, 1, 2, 0]


# All tasks together


@pytest.fixture
def columns(metrics, human):
    """A task of segments and one of systems of one study, and one of another study."""
    segments, systems = Units("one", "segments", 12), Units("one", "systems", 5)
    elsewhere = Units("two", "systems", 6)
    rows = np.array([0, 1, 2, 4, 5, 7, 8, 9, 11])
    means, people = metrics.mean(axis=1), human.mean(axis=0)
    generator = np.random.default_rng(17)
    other_people, other = generator.normal(size=6), generator.normal(size=(3, 6))
    accuracy = system_pair_accuracy(means, people)
    other_accuracy = system_pair_accuracy(other, other_people)
    return [
        Column((Part(pearson_by_unit(metrics, human), (0, 1, 2, 3), segments, rows),), 2.0, -1.0),
        Column(
            (
                Part(accuracy, (0, 1, 2, 3), systems, np.arange(5), 0.4),
                Part(other_accuracy, (3, 1, 0), elsewhere, np.arange(6), 0.6),
            ),
            1.0,
        ),
    ]


def test_one_test_swaps_in_all_tasks_at_once(columns, monkeypatch):
    """Each p counts differences of averages that are made of each column's own draws."""
    seen = []
    coins = joint_comparison._coins

    def kept(*asked):
        for block in coins(*asked):
            seen.append(block)
            yield block

    monkeypatch.setattr(joint_comparison, "_coins", kept)
    _, average = compare_over_tasks(columns, 4, unit_range=True, draws=160, seed=5)
    drawn = []
    for bits in seen:
        r = columns[0].parts[0]
        total = 2 / 3 / 2 * r.statistic.differences([(0, 1)], bits[r.units][r.taken])
        for part in columns[1].parts:
            mine = [(part.entries.index(0), part.entries.index(1))]
            total = total + part.share / 3 * part.statistic.differences(mine, bits[part.units])
        drawn.append(total[0])
    drawn = np.concatenate(drawn)
    observed = average.values[0] - average.values[1]
    assert drawn.size == 160
    assert average.p_values[0, 1] == pytest.approx(((drawn >= observed - 1e-10).sum() + 1) / 161)
    assert average.p_values[1, 0] == pytest.approx(((drawn <= observed + 1e-10).sum() + 1) / 161)


def test_with_holms_correction_ranks_rest_on_two_sided_adjusted_p_values(columns):
    (first, _), _ = compare_over_tasks(columns, 4, unit_range=True, draws=500)
    (adjusted, _), _ = compare_over_tasks(columns, 4, unit_range=True, draws=500, correction="holm")
    assert (first.adjusted == first.p_values).all()
    order = np.argsort(-first.values)
    better = [(order[i], order[j]) for i, j in PAIRS]
    two_sided = [min(1, 2 * first.p_values[pair]) for pair in better]
    factors = 6 - np.argsort(np.argsort(two_sided, kind="stable"))
    sorted_first = np.argsort(two_sided, kind="stable")
    expected = np.empty(6)
    expected[sorted_first] = np.minimum(
        1, np.maximum.accumulate((np.array(two_sided) * factors)[sorted_first])
    )
    found = [adjusted.adjusted[pair] for pair in better]
    assert found == pytest.approx(expected)
    assert all(adjusted.adjusted[j, i] == 1 for i, j in better)
    assert (adjusted.p_values == first.p_values).all()
