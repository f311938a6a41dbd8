"""Speed and memory of comparisons beside loops over SciPy, in one run.

    python -m benchmarks.comparing
    python -m benchmarks.comparing --large               # 15 systems × 200,000 segments as well
    python -m benchmarks.comparing --only pooled alpha   # cases whose names hold one of these words

15 systems × 2,000 segments, 1,000 draws. Each side of each case runs in a process of its own. "cpu"
is processor time, which other work on the machine stretches less than the clock's. Memory is the
peak of what is allocated beyond the data, in a run of its own. A loop that would take minutes does
a few draws, and its time is multiplied: "of" says how many it did.
"""

import argparse
import itertools
import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass

import krippendorff
import numpy as np
import scipy.stats

from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.comparison.metric_permutation import MetricPair, segment_level_permutations
from analysis.stats.comparison.paired_bootstrap import bootstrap_differences
from analysis.stats.comparison.system_permutation import system_level_permutations
from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.system_accuracy import soft_pairwise_accuracy
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.correlation.tie_calibration import accuracy_with_calibrated_ties
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.systems.paired_tests import sign_flip_test

REPEATS = 3
DRAWS = 1_000


@dataclass(frozen=True)
class Case:
    """Ours, and a loop that does `done` of `of` equal parts of the same work.

    Each returns a number; where `same`, both must agree.
    """

    ours: Callable[[], float]
    label: str = ""
    loop: Callable[[], float] | None = None
    done: int = 1
    of: int = 1
    same: bool = True


def _scores(
    metrics: int, segments: int = 2_000, systems: int = 15
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    human = np.round(rng.normal(60, 15, (segments, systems)))
    return human + rng.normal(0, 25, (metrics, segments, systems)), human


def _by_segment(metric: np.ndarray, human: np.ndarray, coefficient: Callable[..., object]) -> float:
    values = [coefficient(x, y).statistic for x, y in zip(metric, human, strict=True)]
    return float(np.mean(values))


def _pooled(metric: np.ndarray, human: np.ndarray, coefficient: Callable[..., object]) -> float:
    return float(coefficient(metric.ravel(), human.ravel()).statistic)


def _tied(metrics: np.ndarray) -> np.ndarray:
    return np.round(metrics / 10)


def _swap_loop(
    coefficient: Callable[..., object],
    draws: int,
    correlate: Callable[..., float] = _by_segment,
    prepare: Callable[[np.ndarray], np.ndarray] = np.asarray,
) -> Callable[[], float]:
    """Swap cells, correlate each segment (or all) of both metrics with SciPy, draw by draw."""

    def loop() -> float:
        metrics, human = _scores(2)
        first, second = (scipy.stats.zscore(side, axis=None) for side in prepare(metrics))
        seen = correlate(first, human, coefficient) - correlate(second, human, coefficient)
        rng = np.random.default_rng(2)
        for _ in range(draws):
            coin = rng.random(human.shape) < 0.5
            correlate(np.where(coin, second, first), human, coefficient)
            correlate(np.where(coin, first, second), human, coefficient)
        return seen

    return loop


def _first(pairs: list[MetricPair]) -> float:
    return pairs[0].result.value


def _swap(coefficient: str, **options: str) -> Callable[[], float]:
    metrics, human = _scores(2)
    return lambda: _first(segment_level_permutations(metrics, human, coefficient, **options))


def _swap_tied(coefficient: str, grouping: str) -> Callable[[], float]:
    metrics, human = _scores(2)
    rounded = _tied(metrics)
    return lambda: _first(
        segment_level_permutations(rounded, human, coefficient, grouping=grouping)
    )


def _matrix(coefficient: str) -> Callable[[], float]:
    metrics, human = _scores(10)
    return lambda: (
        segment_level_permutations(metrics, human, coefficient, grouping="segment")[0].result.value
    )


def _calibrated() -> float:
    metrics, human = _scores(1)
    return accuracy_with_calibrated_ties(metrics[0], human, bootstrap=None).value


def _calibration_loop() -> float:
    """Try thresholds one by one on the table of all pairs."""
    metrics, human = _scores(1)
    left, right = np.triu_indices(15, k=1)
    gap, people = metrics[0][:, left] - metrics[0][:, right], human[:, left] - human[:, right]
    order = np.sign(people)
    best = 0.0
    for threshold in np.linspace(0, np.abs(gap).max(), 200):
        metric_order = np.where(np.abs(gap) <= threshold, 0, np.sign(gap))
        best = max(best, float((metric_order == order).mean()))
    return best


def _bootstrap() -> float:
    metrics, human = _scores(1)
    return bootstrap_correlation(metrics[0], human, grouping="segment").value


def _bootstrap_loop(draws: int) -> Callable[[], float]:
    def loop() -> float:
        metrics, human = _scores(1)
        rng = np.random.default_rng(2)
        for _ in range(draws):
            rows = rng.integers(0, 2_000, 2_000)
            _by_segment(metrics[0][rows], human[rows], scipy.stats.pearsonr)
        return _by_segment(metrics[0], human, scipy.stats.pearsonr)

    return loop


def _tau_like(bootstrap: Bootstrap | None = None) -> float:
    metrics, human = _scores(1)
    return tau_like(metrics[0], human, bootstrap=bootstrap).value


def _tau_like_loop() -> float:
    metrics, human = _scores(1)
    taus = []
    for scores, people in zip(metrics[0], human, strict=True):
        gaps = [
            (scores[i] - scores[j]) * np.sign(people[i] - people[j])
            for i, j in itertools.combinations(range(len(people)), 2)
            if people[i] != people[j]
        ]
        taus.append(np.mean(np.where(np.array(gaps) > 0, 1.0, -1.0)))
    return float(np.mean(taus))


def _alpha_table() -> np.ndarray:
    rng = np.random.default_rng(1)
    return rng.normal(0, 1, (100_000, 1)) + rng.normal(0, 1, (100_000, 3))


def _system_swap_loop() -> float:
    """Enumerate the first 2,000 swaps of 20 systems with SciPy."""
    metrics, human = _scores(2, 500, 20)
    first, second = (scipy.stats.zscore(side.mean(axis=0)) for side in metrics)
    people = human.mean(axis=0)
    seen = np.subtract(*(scipy.stats.pearsonr(side, people).statistic for side in (first, second)))
    for coins in itertools.islice(itertools.product([False, True], repeat=20), 2_000):
        for coin in (np.array(coins), ~np.array(coins)):
            scipy.stats.pearsonr(np.where(coin, second, first), people)
    return float(seen)


def _system_swap() -> float:
    metrics, human = _scores(2, 500, 20)
    return _first(system_level_permutations(metrics, human))


def _flips() -> float:
    systems = _scores(1)[1].T
    pairs = itertools.combinations(systems, 2)
    return float(np.mean([sign_flip_test(*pair).p_value for pair in pairs]))


def _soft() -> float:
    metrics, human = _scores(1)
    return soft_pairwise_accuracy(metrics[0], human).value


def _soft_loop(pairs: int) -> Callable[[], float]:
    def loop() -> float:
        metrics, human = _scores(1)
        p_value = 0.0
        for i, j in itertools.islice(itertools.combinations(range(15), 2), pairs):
            for side in (metrics[0], human):
                p_value = scipy.stats.permutation_test(
                    (side[:, i] - side[:, j],), np.mean, permutation_type="samples", batch=100,
                    n_resamples=DRAWS, alternative="greater", vectorized=True,
                ).pvalue  # fmt: skip
        return float(p_value)

    return loop


def _cases() -> dict[str, Case]:
    pearson, tau, spearman = scipy.stats.pearsonr, scipy.stats.kendalltau, scipy.stats.spearmanr
    loops = "loop over SciPy"
    return {
        "swap test, Pearson by segment": Case(
            _swap("pearson", grouping="segment"), loops, _swap_loop(pearson, 2), 2, DRAWS
        ),
        "swap test, tau-b by segment": Case(
            _swap("kendall-tau-b", grouping="segment"), loops, _swap_loop(tau, 2), 2, DRAWS
        ),
        "swap test, tau-b by segment, many ties": Case(_swap_tied("kendall-tau-b", "segment")),
        "swap test, Pearson pooled": Case(
            _swap("pearson"), loops, _swap_loop(pearson, 5, _pooled), 5, DRAWS
        ),
        "swap test, tau-b pooled": Case(
            _swap("kendall-tau-b"), loops, _swap_loop(tau, 5, _pooled), 5, DRAWS
        ),
        "swap test, tau-b pooled, many ties": Case(
            _swap_tied("kendall-tau-b", "none"), loops, _swap_loop(tau, 5, _pooled, _tied), 5, DRAWS
        ),
        "swap test, Spearman by segment": Case(
            _swap("spearman", grouping="segment"), loops, _swap_loop(spearman, 2), 2, DRAWS
        ),
        "swap test, Spearman pooled": Case(
            _swap("spearman"), loops, _swap_loop(spearman, 5, _pooled), 5, DRAWS
        ),
        "swap test, Spearman pooled, many ties": Case(
            _swap_tied("spearman", "none"), loops, _swap_loop(spearman, 5, _pooled, _tied), 5, DRAWS
        ),
        "45 swap tests of 10 metrics, Pearson": Case(
            _matrix("pearson"), loops, _swap_loop(pearson, 2), 2, 45 * DRAWS, same=False
        ),
        "45 swap tests of 10 metrics, tau-b": Case(
            _matrix("kendall-tau-b"), loops, _swap_loop(tau, 2), 2, 45 * DRAWS, same=False
        ),
        "swap test of 20 systems, all 2^20": Case(
            _system_swap, loops, _system_swap_loop, 2_000, 2**19
        ),
        "tie calibration, all thresholds": Case(
            _calibrated, "loop over 200 thresholds", _calibration_loop, same=False
        ),
        "bootstrap of Pearson by segment": Case(_bootstrap, loops, _bootstrap_loop(3), 3, DRAWS),
        "tau-like": Case(_tau_like, "loop over pairs", _tau_like_loop),
        "bootstrap of tau-like": Case(lambda: _tau_like(STANDARD_BOOTSTRAP)),
        "105 sign-flip tests of systems": Case(_flips),
        "soft pairwise accuracy": Case(
            _soft, "SciPy's permutation_test", _soft_loop(3), 3, 105, same=False
        ),
        "interval alpha, 3 × 100,000 continuous": Case(
            _alpha(), "krippendorff package", _alpha_package
        ),
    }


def _alpha() -> Callable[[], float]:
    table = _alpha_table()
    return lambda: krippendorff_alpha(table, "interval", bootstrap=None).value


def _alpha_package() -> float:
    return float(krippendorff.alpha(_alpha_table().T, level_of_measurement="interval"))


def _large_cases() -> dict[str, Case]:
    data: list[tuple[np.ndarray, np.ndarray]] = []

    def on_large(run: Callable[[np.ndarray, np.ndarray], float]) -> Callable[[], float]:
        def once() -> float:
            if not data:
                data.append(_scores(2, 200_000))
            return run(*data[0])

        return once

    return {
        "15 × 200,000: swap test, Pearson by segment": Case(
            on_large(lambda m, h: _first(segment_level_permutations(m, h, grouping="segment")))
        ),
        "15 × 200,000: swap test, Pearson pooled": Case(
            on_large(lambda m, h: _first(segment_level_permutations(m, h)))
        ),
        "15 × 200,000: swap test, tau-b by segment": Case(
            on_large(
                lambda m, h: _first(
                    segment_level_permutations(m, h, "kendall-tau-b", grouping="segment")
                )
            )
        ),
        "15 × 200,000: swap test, Spearman pooled": Case(
            on_large(lambda m, h: _first(segment_level_permutations(m, h, "spearman")))
        ),
        "15 × 200,000: bootstrap of Pearson pooled": Case(
            on_large(lambda m, h: bootstrap_correlation(m[0], h).value)
        ),
        "15 × 200,000: bootstrap of a difference": Case(
            on_large(lambda m, h: bootstrap_differences(m, h)[0].result.value)
        ),
        "15 × 200,000: tie calibration": Case(
            on_large(lambda m, h: accuracy_with_calibrated_ties(m[0], h, bootstrap=None).value)
        ),
        "15 × 200,000: interval alpha, 3 ratings": Case(
            on_large(
                lambda m, h: (
                    krippendorff_alpha(
                        np.stack([*m, h], axis=-1).reshape(-1, 3), "interval", bootstrap=None
                    ).value
                )
            )
        ),
    }


def _measure(name: str, side: str) -> None:
    """Run one side of one case in this process; print seconds, their cpu, megabytes, value."""
    case = (_large_cases() if name.startswith("15") else _cases())[name]
    run = case.ours if side == "ours" else case.loop
    assert run is not None
    timings = []
    for _ in range(REPEATS):
        clock, processor = time.perf_counter(), time.process_time()
        value = run()
        timings.append((time.perf_counter() - clock, time.process_time() - processor))
        if timings[-1][0] > 5:
            break
    megabytes = 0.0
    if side == "ours":
        tracemalloc.start()
        run()
        megabytes = tracemalloc.get_traced_memory()[1] / 2**20
    print(json.dumps([*min(timings), megabytes, value]))


def _in_process(name: str, side: str) -> tuple[float, float, float, float] | None:
    """Measure in a process that may take 6 GB and twenty minutes, no more."""
    limited = ["bash", "-c", 'ulimit -v 6000000; exec "$@"', "bash"]
    done = subprocess.run(
        [*limited, sys.executable, "-m", "benchmarks.comparing", name, side],
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    if done.returncode:
        return None
    seconds, processor, megabytes, value = json.loads(done.stdout.splitlines()[-1])
    return seconds, processor, megabytes, value


def _line(name: str, case: Case) -> str:
    mine = _in_process(name, "ours")
    assert mine is not None, name
    line = f"{name:46} {mine[0]:7.3f}s {mine[1]:7.3f}s {mine[2]:5.0f}MB"
    if case.loop is None:
        return line
    theirs = _in_process(name, "loop")
    if theirs is None:
        return f"{line} {'fails':>10} {'':>9}  {case.label}"
    if case.same:
        assert abs(theirs[3] - mine[3]) < 1e-9, (name, theirs, mine)
    processor = theirs[1] * case.of / case.done
    share = "" if case.of == case.done else f", {case.done:,} of {case.of:,}"
    return f"{line} {processor:9.1f}s {processor / mine[1]:8,.0f}×  {case.label}{share}"


def main() -> None:
    """Measure every case and print a table."""
    if len(sys.argv) == 3 and sys.argv[2] in ("ours", "loop"):
        _measure(sys.argv[1], sys.argv[2])
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--only", nargs="*", default=[""])
    options = parser.parse_args()
    cases = _cases()
    if options.large:
        cases |= _large_cases()
    cases = {
        name: case for name, case in cases.items() if any(word in name for word in options.only)
    }
    print(
        f"{'case':46} {'ours':>8} {'cpu':>8} {'memory':>7} "
        f"{'other, cpu':>10} {'ratio':>9}  other is"
    )
    for name, case in cases.items():
        print(_line(name, case), flush=True)


if __name__ == "__main__":
    main()
