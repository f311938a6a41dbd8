"""Coverage of intervals and error of tests, by simulated studies whose truth is known.

python -m benchmarks.coverage                         # prints the tables
python -m benchmarks.coverage --write                 # and writes them into docs/statistics
python -m benchmarks.coverage --only SEGMENTS FEWER   # some of the tables
python -m benchmarks.coverage --runs 200 --test-runs 500   # a quick look

With --keep FILE finished pieces are kept, so that a run can be stopped and taken up again, one
table at a time, or with more --runs. Delete the file when a statistic changes.
"""

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.false_alarms import FEW_UNITS, TESTS, false_alarms
from benchmarks.interval_coverage import (
    ANNOTATORS,
    METHODS,
    OVER_SEGMENTS,
    OVER_SYSTEMS,
    RANKS,
    SYSTEM_LEVEL,
    Covered,
    coverage,
    true_value,
)
from benchmarks.pieces import Pieces
from benchmarks.simulated_studies import DESIGNS, HEAVY_TAILS, SMALL, Design, endless_design

PAGE = Path(__file__).resolve().parent.parent / "docs" / "statistics" / "coverage.md"
FAMILIES = {
    "segments": OVER_SEGMENTS,
    "ranks": RANKS,
    "system level": SYSTEM_LEVEL,
    "systems": OVER_SYSTEMS,
    "annotators": ANNOTATORS,
    "fewer": OVER_SEGMENTS[: 2 * len(METHODS)],
}
TEST_FAMILIES = {"tests": TESTS, "few": FEW_UNITS}
PIECE, TEST_PIECE = 100, 500


def _true(family: str, index: int, design: Design) -> float:
    return true_value(FAMILIES[family][index], design)


def _covered(
    family: str, index: int, design: Design, true: float, start: int, stop: int
) -> list[float]:
    done = coverage(FAMILIES[family][index], design, true, range(start, stop))
    return [done.runs, done.held, done.widths, done.without]


def _alarms(family: str, index: int, start: int, stop: int) -> int:
    return false_alarms(TEST_FAMILIES[family][index], range(start, stop))


def _parts(runs: int, piece: int) -> list[tuple[int, int]]:
    return [(start, min(start + piece, runs)) for start in range(0, runs, piece)]


def _table(
    pool: ProcessPoolExecutor, pieces: Pieces, family: str, designs: list[Design], runs: int
) -> list[str]:
    cases = FAMILIES[family]
    # Many segments take long, and their intervals are the least in doubt.
    rows = [
        (index, design, runs if design.segments < 1_000 else runs // 2)
        for design in designs
        for index in range(len(cases))
    ]

    def truth(index: int, design: Design) -> str:
        return f"truth of {cases[index].statistic}: {endless_design(design)}"

    def part(index: int, design: Design, start: int, stop: int) -> str:
        case = cases[index]
        return f"{case.statistic}, over {case.over}, {case.method}, {start}-{stop}: {design}"

    pieces.compute(
        pool, {truth(index, design): (_true, (family, index, design)) for index, design, _ in rows}
    )
    pieces.compute(
        pool,
        {
            part(index, design, *ends): (
                _covered,
                (family, index, design, pieces.results[truth(index, design)], *ends),
            )
            for index, design, number in rows
            for ends in _parts(number, PIECE)
        },
    )
    lines = [
        f"{runs:,} simulated studies each, half as many of 1,000 segments.",
        "",
        "| study | statistic | drawn | interval | covered | mean width | without |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for index, design, number in rows:
        total = Covered(0, 0, 0.0, 0)
        for ends in _parts(number, PIECE):
            total += Covered(*pieces.results[part(index, design, *ends)])
        case = cases[index]
        lines.append(
            f"| {design} | {case.statistic} | {case.over} | {case.method} "
            f"| {100 * total.share:.1f} % | {total.mean_width:.3f} | {total.without} |"
        )
    return lines


def _test_table(pool: ProcessPoolExecutor, pieces: Pieces, family: str, runs: int) -> list[str]:
    tests, parts = TEST_FAMILIES[family], _parts(runs, TEST_PIECE)
    pieces.compute(
        pool,
        {
            f"{test.name}, {start}-{stop}": (_alarms, (family, index, start, stop))
            for index, test in enumerate(tests)
            for start, stop in parts
        },
    )
    lines = [
        f"{runs:,} simulated studies each.",
        "",
        "| test | p-values | false alarms at 5 % |",
        "| --- | --- | --- |",
    ]
    for test in tests:
        alarms = sum(pieces.results[f"{test.name}, {start}-{stop}"] for start, stop in parts)
        kind = "discrete" if test.discrete else "continuous"
        lines.append(f"| {test.name} | {kind} | {100 * alarms / runs:.2f} % |")
    return lines


def _write(name: str, lines: list[str]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, rest = page.split(start)
    after = rest.split(end, 1)[1]
    PAGE.write_text(before + start + "\n".join(lines) + "\n" + end + after, encoding="utf-8")


def main() -> None:
    """Simulate, print, and write the page if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    fewer_systems = [Design(systems, 200, 2, random_systems=True) for systems in (5, 8, 15, 30, 60)]
    fewer_segments = [Design(8, segments, 2) for segments in (10, 20, 40, 80)]
    panels = [Design(8, 80, 2, annotators=annotators) for annotators in (8, 20)]
    four = [*DESIGNS, HEAVY_TAILS]
    tables: dict[str, Callable[[ProcessPoolExecutor], list[str]]] = {
        "SEGMENTS": lambda pool: _table(pool, pieces, "segments", four, runs),
        "RANKS": lambda pool: _table(pool, pieces, "ranks", [SMALL], runs // 2),
        "SYSTEM_LEVEL": lambda pool: _table(pool, pieces, "system level", four, runs),
        "FEWER": lambda pool: _table(pool, pieces, "fewer", fewer_segments, runs),
        "SYSTEMS": lambda pool: _table(pool, pieces, "systems", fewer_systems, runs),
        "ANNOTATORS": lambda pool: _table(pool, pieces, "annotators", panels, max(100, runs // 6)),
        "TESTS": lambda pool: _test_table(pool, pieces, "tests", options.test_runs),
        "FEW_UNITS": lambda pool: _test_table(pool, pieces, "few", options.test_runs),
    }
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--test-runs", type=int, default=10_000)
    parser.add_argument("--only", nargs="*", metavar="TABLE", choices=tables, default=list(tables))
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep finished pieces here")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write each table when it is done")
    options = parser.parse_args()
    runs, pieces = options.runs, Pieces(options.keep)
    with ProcessPoolExecutor(options.processes) as pool:
        for name in options.only:
            lines = tables[name](pool)
            print(f"{name}: " + "\n".join(lines) + "\n", flush=True)
            if options.write:
                _write(name, lines)


if __name__ == "__main__":
    main()
