"""Tests, and how often they raise a false alarm in simulated studies under their own null."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from analysis.stats.comparison.metric_permutation import segment_level_permutations
from analysis.stats.comparison.paired_bootstrap import bootstrap_differences
from analysis.stats.comparison.system_permutation import system_level_permutations
from analysis.stats.comparison.williams import williams_test
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.permutation import Permutation
from analysis.stats.results import Estimate, Result
from analysis.stats.systems.bradley_terry import Strengths, fit_strengths
from analysis.stats.systems.paired_tests import sign_flip_test, wilcoxon_signed_rank
from benchmarks.simulated_studies import SMALL, draw

DRAWS = 1_000
PERMUTATIONS = 199


@dataclass(frozen=True)
class Test:
    """A test, whether its p-values are discrete, and one p-value under its null."""

    name: str
    discrete: bool
    p_value: Callable[[np.random.Generator], float]


def _p(result: Result) -> float:
    return 1.0 if not isinstance(result, Estimate) or result.p_value is None else result.p_value


def _exchangeable(
    rng: np.random.Generator, systems: int = 6, segments: int = 20
) -> list[np.ndarray]:
    human = rng.normal(0, 1, (segments, systems)) + rng.normal(0, 0.5, systems)
    return [*(human + rng.normal(0, 1, (2, segments, systems))), human]


def _swap(coefficient: str, grouping: str, swap: str, scale: str = "standardised") -> Test:
    def p_value(rng: np.random.Generator) -> float:
        how = Permutation(PERMUTATIONS, int(rng.integers(2**31)))
        *metrics, human = _exchangeable(rng)
        return _p(
            segment_level_permutations(
                metrics,
                human,
                coefficient,
                grouping=grouping,
                swap=swap,
                scale=scale,
                permutation=how,
            )[0].result
        )

    where = "pooled" if grouping == "none" else f"by {grouping}"
    return Test(f"swap {swap}, {coefficient}, outputs {where}, {scale}", False, p_value)


def _system_swap(coefficient: str, swap: str, scale: str = "given", systems: int = 10) -> Test:
    def p_value(rng: np.random.Generator) -> float:
        how = Permutation(PERMUTATIONS, int(rng.integers(2**31)))
        *metrics, human = _exchangeable(rng, systems)
        return _p(
            system_level_permutations(
                metrics, human, coefficient, swap=swap, scale=scale, permutation=how
            )[0].result
        )

    discrete = coefficient != "pearson"
    name = f"swap {swap}, {coefficient}, {systems} system means, {scale}"
    return Test(name, discrete, p_value)


def _williams(rng: np.random.Generator) -> float:
    covariance = [[1, 0.5, 0.5], [0.5, 1, 0.3], [0.5, 0.3, 1]]
    r = np.corrcoef(rng.multivariate_normal(np.zeros(3), covariance, 15).T)
    return _p(williams_test(r[0, 1], r[0, 2], r[1, 2], 15))


def _paired(
    n: int, discrete: bool
) -> Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]:
    def scores(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        shared = rng.normal(0, 1, n)
        first, second = shared + rng.normal(0, 1, (2, n))
        return (first > 0, second > 0) if discrete else (first, second)

    return scores


def _on_pairs(name: str, n: int, discrete: bool, test: Callable[..., Result]) -> Test:
    scores = _paired(n, discrete)
    return Test(name, discrete, lambda rng: _p(test(*(side.astype(float) for side in scores(rng)))))


def _equal_strengths(rng: np.random.Generator) -> float:
    first = rng.integers(0, 4, 400)
    second = (first + rng.integers(1, 4, 400)) % 4
    fit = fit_strengths(first, second, rng.choice([-1, 0, 1], 400, p=[0.4, 0.2, 0.4]), 4)
    assert isinstance(fit, Strengths)
    return float(fit.differences()[1][0, 1])


def _paired_bootstrap(segments: int) -> Test:
    def p_value(rng: np.random.Generator) -> float:
        study = draw(replace(SMALL, segments=segments), rng)
        how = Bootstrap(DRAWS, int(rng.integers(2**31)))
        (pair,) = bootstrap_differences([study.first, study.second], study.human, bootstrap=how)
        return _p(pair.result)

    return Test(f"paired bootstrap over {segments} segments", False, p_value)


TESTS = (
    *(_swap("pearson", grouping, "cells") for grouping in ("none", "segment", "system")),
    _swap("spearman", "none", "cells"),
    _swap("kendall-tau-b", "none", "cells"),
    _swap("kendall-tau-b", "segment", "cells"),
    *(_swap("pearson", "none", swap, "given") for swap in ("segments", "both")),
    _system_swap("pearson", "systems"),
    _system_swap("kendall-tau-b", "systems"),
    _system_swap("pearson", "cells"),
    Test("Williams", False, _williams),
    _on_pairs("sign flips, sampled", 60, False, sign_flip_test),
    _on_pairs("sign flips, enumerated", 12, False, sign_flip_test),
    _on_pairs("sign flips, sign test", 60, True, sign_flip_test),
    _on_pairs("Wilcoxon signed rank", 60, False, wilcoxon_signed_rank),
    Test("Bradley–Terry with ties, Wald", False, _equal_strengths),
    _paired_bootstrap(300),
)

# Standardising few systems or rows takes up freedom, and a bootstrap of few units is too narrow.
FEW_UNITS = (
    *(_swap("pearson", "none", swap) for swap in ("segments", "both")),
    *(_system_swap("pearson", "systems", "standardised", systems) for systems in (6, 10, 14)),
    *(_paired_bootstrap(segments) for segments in (20, 80)),
)


def false_alarms(test: Test, runs: range, level: float = 0.05) -> int:
    """Count the p-values of at most `level` under the test's null."""
    name = list(test.name.encode())
    return sum(test.p_value(np.random.default_rng([run, *name])) <= level for run in runs)
