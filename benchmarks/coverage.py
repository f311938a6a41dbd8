"""Coverage of intervals and error of tests, by simulated studies whose truth is known.

python -m benchmarks.coverage                 # prints the tables
python -m benchmarks.coverage --write         # and writes them into docs/statistics/coverage.md
python -m benchmarks.coverage --runs 200      # a quick look
"""

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from analysis.stats.annotator_bootstrap import bootstrap_over_annotators
from analysis.stats.bradley_terry import Strengths, fit_strengths
from analysis.stats.correlation_bootstrap import (
    bootstrap_correlation,
    bootstrap_difference,
)
from analysis.stats.metric_correlation import segment_level, system_level
from analysis.stats.metric_permutation import segment_level_permutation
from analysis.stats.noise_ceiling import corrected_correlation
from analysis.stats.paired_tests import rank_sum, sign_flip_test, wilcoxon_signed_rank
from analysis.stats.permutation import Permutation
from analysis.stats.resampling import Bootstrap
from analysis.stats.results import Estimate, Result
from analysis.stats.system_permutation import system_level_permutation
from analysis.stats.williams import williams_test

PAGE = Path(__file__).resolve().parent.parent / "docs" / "statistics" / "coverage.md"
DRAWS = 1_000
PERMUTATIONS = 199
TRUTH_SEGMENTS = 60_000


@dataclass(frozen=True)
class Design:
    """A study to simulate: sizes, and whether ratings are skewed, missing, or systems random."""

    systems: int
    segments: int
    raters: int
    skewed: bool = False
    missing: float = 0.0
    annotators: int = 0
    random_systems: bool = False

    def __str__(self) -> str:
        """Return the sizes in words."""
        size = f"{self.systems} systems × {self.segments:,} segments × {self.raters} raters"
        odd = ", skewed, ratings missing" if self.skewed else ""
        panel = f", {self.annotators} annotators" if self.annotators else ""
        return size + odd + panel


SMALL = Design(8, 80, 2)
LARGE = Design(15, 1_000, 3)
SKEWED = Design(10, 200, 3, skewed=True, missing=0.25)
DESIGNS = (SMALL, LARGE, SKEWED)


@dataclass(frozen=True)
class Study:
    """Two metrics (the second is the first with other noise) and ratings."""

    first: np.ndarray
    second: np.ndarray
    ratings: np.ndarray
    batches: np.ndarray | None

    @property
    def human(self) -> np.ndarray:
        """Return the mean of what raters gave, NaN where nobody did."""
        counts = np.isfinite(self.ratings).sum(axis=2)
        sums = np.nansum(self.ratings, axis=2)
        return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def draw(design: Design, rng: np.random.Generator) -> Study:
    """Simulate one study; segments are a sample, systems are the same each time unless random."""
    shape = (design.segments, design.systems)
    fixed = np.random.default_rng(5)
    of_systems = rng if design.random_systems else fixed
    place, favour = of_systems.normal(0, 1, (2, design.systems))
    segment = rng.normal(0, 0.6, (design.segments, 1))
    truth = 0.6 * place + segment + rng.normal(0, 0.8, shape)
    if design.skewed:
        truth = np.exp(0.8 * truth) / 2
    noise = rng.normal(0, 0.7, (*shape, design.raters))
    ratings = truth[:, :, None] + noise
    batches = None
    if design.annotators:
        ratings, batches = _by_annotators(design, truth, rng)
    if design.skewed:
        ratings = np.round(np.clip(ratings, 0, 3) * 2) / 2
    ratings[rng.random(ratings.shape) < design.missing] = np.nan
    metrics = [
        truth + 0.3 * favour + 0.5 * rng.normal(0, 1, shape) + 0.4 * rng.normal(0, 1, (shape[0], 1))
        for _ in range(2)
    ]
    return Study(metrics[0], metrics[1], ratings, batches)


def _by_annotators(
    design: Design, truth: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Let each batch of segments be rated by a panel of `raters` annotators of its own."""
    ratings = np.full((*truth.shape, design.annotators), np.nan)
    batches = np.arange(design.annotators) // design.raters
    severity = rng.normal(0, 0.4, design.annotators)
    batch_of_segment = np.arange(design.segments) * (batches.max() + 1) // design.segments
    for annotator in range(design.annotators):
        mine = batch_of_segment == batches[annotator]
        noise = rng.normal(0, 0.7, truth[mine].shape)
        ratings[mine, :, annotator] = truth[mine] + severity[annotator] + noise
    return ratings, batches


# Intervals


@dataclass(frozen=True)
class Case:
    """An interval, and the correlation that it should cover."""

    statistic: str
    over: str
    method: str
    compute: Callable[[Study, int], Result]
    truth: Callable[[Study], Result]


def _correlation(coefficient: str, level: str, grouping: str, over: str, method: str) -> Case:
    def compute(study: Study, seed: int) -> Result:
        return bootstrap_correlation(
            study.first, study.human, coefficient, level=level, grouping=grouping, over=over,
            method=method, bootstrap=Bootstrap(DRAWS, seed),
        )  # fmt: skip

    where = "system level" if level == "system" else f"outputs, grouped by {grouping}"
    name = f"{coefficient}, {where.replace('grouped by none', 'pooled')}"
    return Case(name, over, method, compute, _truth(coefficient, level, grouping))


def _truth(coefficient: str, level: str, grouping: str) -> Callable[[Study], Result]:
    if level == "system":
        return lambda study: system_level(study.first, study.human, coefficient)
    return lambda study: segment_level(
        study.first, study.human, coefficient, grouping=grouping, bootstrap=None
    )


def _over_annotators(over: str) -> Case:
    def compute(study: Study, seed: int) -> Result:
        return bootstrap_over_annotators(
            study.first, study.ratings, batches=study.batches, over=over,
            bootstrap=Bootstrap(DRAWS // 2, seed),
        )  # fmt: skip

    return Case(
        "pearson, outputs, pooled",
        over,
        "percentile",
        compute,
        _truth("pearson", "segment", "none"),
    )


FISHER = Case(
    "pearson, system level",
    "systems",
    "Fisher",
    lambda study, seed: system_level(study.first, study.human),
    _truth("pearson", "system", "none"),
)
DIFFERENCE = Case(
    "difference of two pearson, outputs, pooled",
    "segments",
    "percentile",
    lambda study, seed: bootstrap_difference(
        study.first, study.second, study.human, bootstrap=Bootstrap(DRAWS, seed)
    ),
    lambda study: Estimate(0.0, 1),
)
CORRECTED = Case(
    "corrected pearson, outputs, pooled",
    "segments",
    "percentile",
    lambda study, seed: corrected_correlation(
        study.first, study.ratings, bootstrap=Bootstrap(DRAWS, seed)
    ),
    lambda study: corrected_correlation(study.first, study.ratings, bootstrap=Bootstrap(2)),
)
OVER_SEGMENTS = (
    *(
        _correlation(coefficient, "segment", grouping, "segments", method)
        for coefficient, grouping in (
            ("pearson", "none"),
            ("pearson", "segment"),
            ("pearson", "system"),
            ("kendall-tau-b", "segment"),
        )
        for method in ("percentile", "bca")
    ),
    DIFFERENCE,
    CORRECTED,
)
RANKS = tuple(
    _correlation(coefficient, "segment", "none", "segments", "percentile")
    for coefficient in ("spearman", "kendall-tau-b")
)
SYSTEM_LEVEL = tuple(
    _correlation("pearson", "system", "none", "segments", method)
    for method in ("percentile", "bca")
)
OVER_SYSTEMS = (
    _correlation("pearson", "segment", "none", "systems", "percentile"),
    _correlation("pearson", "segment", "none", "systems", "bca"),
    _correlation("pearson", "system", "none", "systems", "percentile"),
    FISHER,
)


@lru_cache(maxsize=64)
def _large(design: Design) -> Study:
    if design.random_systems:
        large = replace(design, systems=3_000, segments=600, missing=0.0)
    else:
        raters = design.raters
        large = replace(design, segments=TRUTH_SEGMENTS, annotators=0, raters=raters)
        if design.annotators:
            # A panel's severity is noise between outputs of different panels.
            large = replace(large, annotators=raters * 3_000)
            return _many_panels(large)
    return draw(large, np.random.default_rng(99))


def _many_panels(design: Design) -> Study:
    """Simulate as many panels as segments: the sample of annotators is as large as theirs."""
    study = draw(replace(design, annotators=0), np.random.default_rng(99))
    rng = np.random.default_rng(98)
    panels = rng.normal(0, 0.4, (design.segments, 1, design.raters))
    return replace(study, ratings=study.ratings + panels)


def coverage(case: Case, design: Design, runs: int) -> tuple[float, float, int]:
    """Return the share of intervals that hold the truth, their mean width, and how many failed."""
    true = case.truth(_large(design))
    assert isinstance(true, Estimate), true
    held, widths, failed = 0, [], 0
    for run in range(runs):
        result = case.compute(draw(design, np.random.default_rng([run, 7])), run)
        if not isinstance(result, Estimate) or result.interval is None:
            failed += 1
            continue
        held += result.interval.low <= true.value <= result.interval.high
        widths.append(result.interval.high - result.interval.low)
    return held / max(1, runs - failed), float(np.mean(widths)) if widths else float("nan"), failed


# Tests


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
        return _p(
            segment_level_permutation(
                *_exchangeable(rng),
                coefficient,
                grouping=grouping,
                swap=swap,
                scale=scale,
                permutation=how,
            )
        )

    where = "pooled" if grouping == "none" else f"by {grouping}"
    return Test(f"swap {swap}, {coefficient}, outputs {where}, {scale}", False, p_value)


def _system_swap(coefficient: str, swap: str, scale: str = "given", systems: int = 10) -> Test:
    def p_value(rng: np.random.Generator) -> float:
        how = Permutation(PERMUTATIONS, int(rng.integers(2**31)))
        return _p(
            system_level_permutation(
                *_exchangeable(rng, systems),
                coefficient,
                swap=swap,
                scale=scale,
                permutation=how,
            )
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


def _unpaired(rng: np.random.Generator) -> float:
    return _p(rank_sum(*rng.normal(0, 1, (2, 60))))


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
        return _p(bootstrap_difference(study.first, study.second, study.human, bootstrap=how))

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
    Test("Wilcoxon rank sum", False, _unpaired),
    Test("Bradley–Terry with ties, Wald", False, _equal_strengths),
    _paired_bootstrap(300),
)

# Standardising few systems or rows takes up freedom, and a bootstrap of few units is too narrow.
FEW_UNITS = (
    *(_swap("pearson", "none", swap) for swap in ("segments", "both")),
    *(_system_swap("pearson", "systems", "standardised", systems) for systems in (6, 10, 14)),
    *(_paired_bootstrap(segments) for segments in (20, 80)),
)


def false_alarms(test: Test, runs: int, level: float = 0.05) -> float:
    """Return the share of p-values at most `level` under the test's null."""
    name = list(test.name.encode())
    alarms = (test.p_value(np.random.default_rng([run, *name])) <= level for run in range(runs))
    return sum(alarms) / runs


# Tables


def _covered(job: tuple[str, int, Design, int]) -> tuple[float, float, int]:
    family, index, design, runs = job
    return coverage(FAMILIES[family][index], design, runs)


def _alarms(job: tuple[str, int, int]) -> float:
    family, index, runs = job
    return false_alarms(TEST_FAMILIES[family][index], runs)


ANNOTATORS = (_over_annotators("annotators"), _over_annotators("segments and annotators"))
FAMILIES = {
    "segments": OVER_SEGMENTS,
    "ranks": RANKS,
    "system level": SYSTEM_LEVEL,
    "systems": OVER_SYSTEMS,
    "annotators": ANNOTATORS,
    "fewer": OVER_SEGMENTS[:4],
}


def _table(pool: ProcessPoolExecutor, family: str, designs: list[Design], runs: int) -> list[str]:
    cases = FAMILIES[family]
    # Many segments take long, and their intervals are the least in doubt.
    jobs = [
        (family, index, design, runs if design.segments < 1_000 else runs // 2)
        for design in designs
        for index in range(len(cases))
    ]
    lines = [
        f"{runs:,} simulated studies each, half as many of 1,000 segments.",
        "",
        "| study | statistic | drawn | interval | covered | mean width | without |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (_, index, design, _), (share, width, failed) in zip(
        jobs, pool.map(_covered, jobs), strict=True
    ):
        case = cases[index]
        lines.append(
            f"| {design} | {case.statistic} | {case.over} | {case.method} "
            f"| {100 * share:.1f} % | {width:.3f} | {failed} |"
        )
        print(lines[-1], flush=True)
    return lines


TEST_FAMILIES = {"tests": TESTS, "few": FEW_UNITS}


def _test_table(pool: ProcessPoolExecutor, family: str, runs: int) -> list[str]:
    lines = [
        f"{runs:,} simulated studies each.",
        "",
        "| test | p-values | false alarms at 5 % |",
        "| --- | --- | --- |",
    ]
    tests = TEST_FAMILIES[family]
    jobs = [(family, index, runs) for index in range(len(tests))]
    for test, share in zip(tests, pool.map(_alarms, jobs), strict=True):
        kind = "discrete" if test.discrete else "continuous"
        lines.append(f"| {test.name} | {kind} | {100 * share:.2f} % |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Simulate, print, and write the page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--test-runs", type=int, default=10_000)
    parser.add_argument("--only", nargs="*", help="tables by name, such as TESTS")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    fewer_systems = [Design(systems, 200, 2, random_systems=True) for systems in (5, 8, 15, 30, 60)]
    fewer_segments = [Design(8, segments, 2) for segments in (10, 20, 40, 80)]
    panels = [Design(8, 80, 2, annotators=annotators) for annotators in (8, 20)]
    runs = options.runs
    tables: dict[str, Callable[[ProcessPoolExecutor], list[str]]] = {
        "SEGMENTS": lambda pool: _table(pool, "segments", list(DESIGNS), runs),
        "RANKS": lambda pool: _table(pool, "ranks", [SMALL], runs // 2),
        "SYSTEM_LEVEL": lambda pool: _table(pool, "system level", list(DESIGNS), runs),
        "FEWER": lambda pool: _table(pool, "fewer", fewer_segments, runs),
        "SYSTEMS": lambda pool: _table(pool, "systems", fewer_systems, runs),
        "ANNOTATORS": lambda pool: _table(pool, "annotators", panels, max(100, runs // 6)),
        "TESTS": lambda pool: _test_table(pool, "tests", options.test_runs),
        "FEW_UNITS": lambda pool: _test_table(pool, "few", options.test_runs),
    }
    wanted = options.only or list(tables)
    with ProcessPoolExecutor(2) as pool:
        parts = {name: tables[name](pool) for name in wanted}
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        for name, lines in parts.items():
            start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
            before, rest = page.split(start)
            page = before + start + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1]
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
