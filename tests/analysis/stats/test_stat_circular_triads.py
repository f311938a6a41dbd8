"""Circular triads and the coefficient of consistence, by brute force and from the textbook."""

import itertools

import numpy as np
import pytest
from scipy.stats import binomtest

from analysis.stats.agreement.circular_triads import (
    TriadCounts,
    coefficient_of_consistence,
    count_triads,
    share_of_circular_triads,
)
from analysis.stats.resampling.bootstrap import Bootstrap
from tests.fixtures.nonempty import at_least_one

FEW = Bootstrap(100)


def tournament(n: int, seed: int, ties: float = 0.0) -> list[tuple[int, int, int]]:
    draw = np.random.default_rng(seed)
    return [
        (i, j, 0 if draw.random() < ties else int(draw.choice([-1, 1])))
        for i, j in itertools.combinations(range(n), 2)
    ]


def counted(*segments: list[tuple[int, int, int]], ties: str = "left-out") -> TriadCounts:
    rows = [(place, *row) for place, part in enumerate(segments) for row in part]
    return count_triads(*np.array(rows).T, ties=ties)  # type: ignore[arg-type]


def brute(judgements: list[tuple[int, int, int]]) -> tuple[int, int, int]:
    """Triads without a tie, circular ones and those with a tie, by looking at each."""
    over = {}
    for i, j, answer in judgements:
        over[i, j], over[j, i] = answer, -answer
    names = sorted({name for pair in over for name in pair})
    plain = circular = tied = 0
    for a, b, c in itertools.combinations(names, 3):
        if not {(a, b), (b, c), (a, c)} <= set(over):
            continue
        answers = over[a, b], over[b, c], over[c, a]
        if 0 in answers:
            tied += 1
            continue
        plain += 1
        circular += len(set(answers)) == 1
    return plain, circular, tied


@pytest.mark.parametrize("n", range(3, 9))
@pytest.mark.parametrize("ties", [0.0, 0.3])
def test_counts_equal_a_look_at_every_triad(n, ties):
    parts = [tournament(n, seed, ties) for seed in range(12)]
    draw = np.random.default_rng(n)
    parts = [[row for row in part if draw.random() < 0.85] for part in parts]
    found = counted(*parts)
    expected = dict(enumerate(brute(part) for part in parts))
    for place, block in at_least_one(enumerate(found.blocks)):
        got = (found.triads[place], found.circular[place], found.tied[place])
        assert tuple(map(round, got)) == expected[int(block)]


def test_ties_broken_at_random_give_the_mean_over_all_ways_to_break_them():
    rows = tournament(5, 3, ties=0.4)
    tied = [place for place, row in enumerate(rows) if row[2] == 0]
    assert len(tied) >= 2
    ways = []
    for answers in itertools.product((-1, 1), repeat=len(tied)):
        broken = list(rows)
        for place, answer in zip(tied, answers, strict=True):
            broken[place] = (*rows[place][:2], answer)
        ways.append(counted(broken).circular.sum())
    found = counted(rows, ties="at-random")
    assert found.circular.sum() == pytest.approx(np.mean(ways))
    assert found.triads.sum() == 10
    assert found.tied.sum() == 0


def test_a_perfect_order_in_few_segments_is_no_certainty():
    """The interval is that of no event in as many segments, by the exact binomial."""
    counts = counted(
        *([(i, j, 1) for i, j in itertools.combinations(range(3), 2)] for _ in "12345")
    )
    share = share_of_circular_triads(counts, bootstrap=FEW)
    expected = binomtest(0, 5).proportion_ci(0.95, method="exact").high
    assert (share.value, share.interval.low) == (0, 0)
    assert share.interval.high == pytest.approx(expected)
    zeta = coefficient_of_consistence(counts, bootstrap=FEW)
    assert (zeta.value, zeta.interval.high) == (1, 1)
    assert zeta.interval.low == pytest.approx(1 - expected)
