"""Resampling and correlations beside loops over SciPy, in turns.

    python -m benchmarks.beside_scipy [--segments 2000] [--only bootstrap]

15 systems, 1,000 draws. Seconds are of the processor, medians over turns, in which ours and SciPy's
alternate. A loop that would take minutes does a few draws, and its time is multiplied: "of" says
how many it did. Where both compute one number, it is compared.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.stats

from analysis.stats.comparison.metric_permutation import segment_level_permutations
from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.metric_correlation import segment_level
from analysis.stats.correlation.system_accuracy import soft_pairwise_accuracy
from analysis.stats.systems.paired_tests import sign_flip_test

SYSTEMS, DRAWS = 15, 1_000
SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall-tau-b": scipy.stats.kendalltau,
}
Scores = np.ndarray


@dataclass(frozen=True)
class Case:
    """Ours, and a loop over SciPy that does `done` of `of` equal parts of the same work.

    Each returns a number; where `same`, both must agree.
    """

    name: str
    ours: Callable[[], float]
    loop: Callable[[], float]
    done: int = 1
    of: int = 1
    same: bool = True


def correlation(coefficient: str, grouping: str, metric: Scores, human: Scores) -> float:
    """Return the mean correlation by segment, or that of all outputs, as SciPy has it."""
    of = SCIPY[coefficient]
    if grouping == "none":
        return float(of(metric.ravel(), human.ravel()).statistic)
    return float(np.mean([of(x, y).statistic for x, y in zip(metric, human, strict=True)]))


def swapped(coefficient: str, grouping: str, draws: int, metrics: Scores, human: Scores) -> float:
    """Swap two metrics' scores by coins and correlate both, draw by draw."""
    of = partial(correlation, coefficient, grouping)
    first, second = (scipy.stats.zscore(side, axis=None) for side in metrics)
    generator = np.random.default_rng(2)
    for _ in range(draws):
        coin = generator.random(human.shape) < 0.5
        of(np.where(coin, second, first), human)
        of(np.where(coin, first, second), human)
    return of(first, human) - of(second, human)


def resampled(coefficient: str, draws: int, metric: Scores, human: Scores) -> float:
    """Resample segments and correlate within each, draw by draw."""
    of = partial(correlation, coefficient, "segment")
    generator = np.random.default_rng(2)
    for _ in range(draws):
        rows = generator.integers(0, len(human), len(human))
        of(metric[rows], human[rows])
    return of(metric, human)


def permuted(first: Scores, second: Scores) -> float:
    """Return the p-value of a difference of means, by SciPy's own test."""
    found = scipy.stats.permutation_test(
        (first - second,), np.mean, permutation_type="samples", batch=100, n_resamples=DRAWS,
        alternative="greater", vectorized=True,
    )  # fmt: skip
    return float(found.pvalue)


def cases(segments: int) -> list[Case]:
    """Return all cases on made-up scores of two metrics."""
    generator = np.random.default_rng(1)
    human = np.round(generator.normal(60, 15, (segments, SYSTEMS)))
    metrics = human + generator.normal(0, 25, (2, segments, SYSTEMS))
    made = []
    for coefficient in SCIPY:
        for grouping, where in (("segment", "by segment"), ("none", "pooled")):
            draws, words = (2 if grouping == "segment" else 5), {"grouping": grouping}
            made.append(
                Case(
                    f"correlation, {coefficient} {where}",
                    lambda c=coefficient, w=words: _value(
                        segment_level(metrics[0], human, c, **w, bootstrap=None)
                    ),
                    partial(correlation, coefficient, grouping, metrics[0], human),
                )
            )
            made.append(
                Case(
                    f"permutation test, {coefficient} {where}",
                    lambda c=coefficient, w=words: _value(
                        segment_level_permutations(metrics, human, c, **w)[0].result
                    ),
                    partial(swapped, coefficient, grouping, draws, metrics, human),
                    draws,
                    DRAWS,
                )
            )
        made.append(
            Case(
                f"bootstrap, {coefficient} by segment",
                lambda c=coefficient: _value(
                    bootstrap_correlation(metrics[0], human, c, grouping="segment")
                ),
                partial(resampled, coefficient, 2, metrics[0], human),
                2,
                DRAWS,
            )
        )
    first, second = human.T[:2]
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    made.append(
        Case(
            "permutation test of two systems",
            lambda: sign_flip_test(first, second).p_value or 0.0,
            partial(permuted, first, second),
            same=False,
        )
    )
    made.append(
        Case(
            "soft pairwise accuracy",
            lambda: _value(soft_pairwise_accuracy(metrics[0], human)),
            lambda: permuted(*metrics[0].T[:2]) + permuted(first, second),
            1,
            pairs,
            same=False,
        )
    )
    return made


def _value(result: Any) -> float:
    return float(result.value)


def processor_seconds(run: Callable[[], float]) -> tuple[float, float]:
    """Return the processor seconds of a run, and its number."""
    begun = time.process_time()
    value = run()
    return time.process_time() - begun, value


def main() -> None:
    """Measure every case in turns and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--segments", type=int, default=2_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[""], help="words of cases")
    options = parser.parse_args()
    print(f"{'':46}{'ours':>10}{'SciPy':>11}{'ratio':>9}")
    for case in cases(options.segments):
        if not any(word in case.name for word in options.only):
            continue
        turns = [
            (processor_seconds(case.ours), processor_seconds(case.loop))
            for _ in range(options.turns)
        ]
        for (_, mine), (_, theirs) in turns:
            assert not case.same or abs(mine - theirs) < 1e-9, (case.name, mine, theirs)
        ours, theirs = (statistics.median(turn[side][0] for turn in turns) for side in (0, 1))
        theirs *= case.of / case.done
        share = "" if case.done == case.of else f"  {case.done:,} of {case.of:,}"
        print(f"{case.name:46}{ours:9.3f}s{theirs:10.2f}s{theirs / ours:8,.0f}×{share}", flush=True)


if __name__ == "__main__":
    main()
