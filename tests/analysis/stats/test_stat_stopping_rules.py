"""Rules of stopping: what is settled, how many clusters there are, and how often a rule errs."""

from itertools import combinations

import numpy as np
import pytest

from analysis.stats.sequences.confidence_sequences import empirical_bernstein_sequence
from analysis.stats.sequences.stopping import Compared, Criterion, judged, sequence_of
from annotation.protocols.layouts.several import ORDER


def all_pairs(scores):
    """Return every pair of the columns of a table of segments × systems."""
    return [
        Compared(first, second, scores[:, first] - scores[:, second])
        for first, second in combinations(range(scores.shape[1]), 2)
    ]


def rated(random, means, segments):
    """Return whole ratings from 1 to 5 around means, with a part that segments share."""
    shared = random.normal(0, 0.5, (segments, 1))
    noise = random.normal(0, 0.7, (segments, len(means)))
    return np.clip(np.round(np.array(means) + shared + noise), 1, 5)


def settled(**changes):
    return Criterion("settled", (-4, 4), tuned_to=200, **changes)


def test_pairs_are_told_apart_equivalent_or_open_at_the_level_of_one_of_all_comparisons():
    scores = rated(np.random.default_rng(1), [2.0, 2.0, 4.0], 600)
    verdict = judged(all_pairs(scores), settled(margin=0.35))
    same, *others = verdict.comparisons
    assert (verdict.met, any(verdict.open)) == (True, False)
    assert (same.equivalent, same.told_apart) == (True, False)
    assert all(each.told_apart and each.high < 0 for each in others)
    assert verdict.alpha_each == pytest.approx(0.05 / 3)
    alone = empirical_bernstein_sequence(
        scores[:, 0] - scores[:, 1], alpha=0.05 / 3, bounds=(-4, 4)
    )
    assert (same.low, same.high) == pytest.approx((alone.low[-1], alone.high[-1]))
    assert not judged(all_pairs(scores), settled()).met


def test_clusters_are_counted_where_all_before_exceed_all_after():
    scores = rated(np.random.default_rng(2), [4.2, 2.0, 2.0, 3.1], 500)
    pairs = all_pairs(scores)
    assert judged(pairs, settled()).clusters == 3
    assert judged(pairs, settled(clusters=3)).met
    assert not judged(pairs, settled(clusters=4)).met
    assert judged(all_pairs(scores[:5]), settled()).clusters == 1


@pytest.mark.parametrize("method", ["empirical-bernstein", "asymptotic"])
def test_the_number_of_segments_that_is_foreseen_is_about_the_one_that_is_needed(method):
    scores = rated(np.random.default_rng(4), [2.6, 3.0], 3000)
    values = scores[:, 0] - scores[:, 1]
    # Half of them in turn, so that mean and spread stay as they are.
    criterion = settled(method=method)
    needed = next(
        n
        for n in range(30, 3000)
        if judged([Compared(0, 1, values[:n])], criterion).comparisons[0].told_apart
    )
    early = judged([Compared(0, 1, values[: needed // 2])], criterion, most=3000)
    assert early.comparisons[0].more == pytest.approx(needed - needed // 2, rel=0.6)
    assert judged([Compared(0, 1, values[:needed])], criterion).comparisons[0].more == 0
    few = judged([Compared(0, 1, values[: needed // 2])], criterion, most=needed // 2 + 1)
    assert few.comparisons[0].more is None


def judged_together(random, segments, campaigns, spreads, score):
    """Return scores of segments × campaigns × systems, dealt out to two pages of each segment.

    Qualities of all systems are symmetric around the same value, with the spread of each.
    """
    shape = segments, campaigns, len(spreads)
    quality = random.normal(0, 1, shape) * np.array(spreads)
    dealt = np.argsort(random.random(shape), axis=2)
    half = (len(spreads) + 1) // 2
    result = np.empty(shape)
    for page in (dealt[..., :half], dealt[..., half:]):
        place = np.argsort(np.argsort(-np.take_along_axis(quality, page, 2), axis=2), axis=2)
        np.put_along_axis(result, page, score(place + 1.0, page.shape[2]), 2)
    return result


def best_less_worst(rank, outputs):
    return (rank == 1).astype(float) - (rank == outputs)


def scaled_rank(rank, outputs):
    return ORDER.scores(rank, np.full(rank.shape, outputs))


@pytest.mark.parametrize("method", ["empirical-bernstein", "asymptotic"])
@pytest.mark.parametrize(("score", "end"), [(best_less_worst, 2), (scaled_rank, 1)])
def test_equal_systems_that_are_judged_together_are_seldom_told_apart_at_any_look(
    score, end, method
):
    random = np.random.default_rng(6)
    spreads = [0.2, 3.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    scores = judged_together(random, 300, 300, spreads, score)
    assert scores.mean(axis=(0, 1)) == pytest.approx(scores.mean(), abs=0.01)
    criterion = Criterion("settled", (-end, end), tuned_to=150, method=method)
    found = sequence_of(scores[..., 0] - scores[..., 1], criterion, 0.05, range(300))
    assert ((found.low > 0) | (found.high < 0)).any(axis=0).mean() <= 0.05
    better = judged_together(random, 300, 40, spreads, score)
    better[..., 0] = np.minimum(better[..., 0] + 0.5, 1)
    found = sequence_of(better[..., 0] - better[..., 1], criterion, 0.05, range(300))
    assert (found.low > 0).any(axis=0).mean() > 0.8
