"""Speed and memory of the statistics beside the alternatives, in one run.

    python -m benchmarks.estimating

Each case runs in a process of its own; memory is the growth of the resident set at its peak.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

CASES: dict[str, tuple[str, Callable[[], object], Callable[[], object] | None]] = {}
REPEATS = 3


def _ratings(units: int, distinct: int) -> np.ndarray:
    generator = np.random.default_rng(1)
    truth = generator.uniform(0, 100, (units, 1))
    ratings = np.clip(truth + generator.normal(0, 12, (units, 3)), 0, 100)
    return np.round(ratings * distinct / 100) * 100 / distinct


def _scores(segments: int, systems: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(2)
    human = generator.integers(0, 101, (segments, systems)).astype(float)
    return human + generator.normal(0, 20, human.shape), human


def _alpha(units: int, distinct: int) -> tuple[Callable[[], object], Callable[[], object]]:
    def ours() -> object:
        from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha

        return krippendorff_alpha(_ratings(units, distinct), "interval", bootstrap=None).value

    def package() -> object:
        import krippendorff

        return krippendorff.alpha(_ratings(units, distinct).T, level_of_measurement="interval")

    return ours, package


def _tau(segments: int, systems: int) -> tuple[Callable[[], object], Callable[[], object]]:
    metric, human = _scores(segments, systems)

    def ours() -> object:
        from analysis.stats.correlation.tau_like import tau_like

        return tau_like(metric, human, bootstrap=None).value

    def loop() -> object:
        taus = []
        for row in range(segments):
            concordant = discordant = 0
            for i in range(systems):
                for j in range(i + 1, systems):
                    gap = human[row, i] - human[row, j]
                    if gap == 0:
                        continue
                    if gap * (metric[row, i] - metric[row, j]) > 0:
                        concordant += 1
                    else:
                        discordant += 1
            if concordant + discordant:
                taus.append((concordant - discordant) / (concordant + discordant))
        return sum(taus) / len(taus)

    return ours, loop


def _bootstrap(segments: int, systems: int) -> tuple[Callable[[], object], None]:
    metric, human = _scores(segments, systems)

    def ours() -> object:
        from analysis.stats.correlation.tau_like import tau_like

        return tau_like(metric, human).value

    return ours, None


def _register() -> None:
    small, large = _alpha(3_000, 100), _alpha(100_000, 10_000)
    CASES["alpha, 3 × 3,000, 101 values"] = ("krippendorff package", *small)
    CASES["alpha, 3 × 100,000, 10,001 values"] = ("krippendorff package", *large)
    CASES["tau-like, 5,000 × 10"] = ("Python loops", *_tau(5_000, 10))
    CASES["tau-like, 500 × 100"] = ("Python loops", *_tau(500, 100))
    CASES["tau-like with 1,000 resamples, 5,000 × 10"] = ("", *_bootstrap(5_000, 10))


def _measure(name: str, side: str) -> None:
    """Run one side of one case in this process and print seconds, megabytes and the value."""
    _, ours, other = CASES[name]
    run = ours if side == "ours" else other
    assert run is not None
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        value = run()
        seconds.append(time.perf_counter() - start)
        if seconds[-1] > 20:
            break
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps([min(seconds), grown / 1024, value]))


def _in_process(name: str, side: str) -> tuple[float, float, float] | None:
    """Measure in a process that may take 6 GB and five minutes, no more."""
    limited = ["bash", "-c", 'ulimit -v 6000000; exec "$@"', "bash"]
    done = subprocess.run(
        [*limited, sys.executable, "-m", "benchmarks.estimating", name, side],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        return None
    seconds, megabytes, value = json.loads(done.stdout)
    return seconds, megabytes, value


def main() -> None:
    """Measure every case and print a table."""
    _register()
    if len(sys.argv) == 3:
        _measure(sys.argv[1], sys.argv[2])
        return
    print(
        f"{'case':44} {'ours':>9} {'memory':>9} {'other':>9} {'memory':>9} {'ratio':>8}  other is"
    )
    for name, (label, _, other) in CASES.items():
        mine = _in_process(name, "ours")
        assert mine is not None, name
        line = f"{name:44} {mine[0]:8.3f}s {mine[1]:7.0f}MB"
        theirs = _in_process(name, "other") if other else None
        if theirs:
            assert abs(theirs[2] - mine[2]) < 1e-9, (name, theirs, mine)
            line += f" {theirs[0]:8.3f}s {theirs[1]:7.0f}MB {theirs[0] / mine[0]:7.1f}×  {label}"
        elif other:
            line += f" {'fails':>9} {'> 6 GB':>9} {'':>8}  {label}"
        print(line)


if __name__ == "__main__":
    main()
