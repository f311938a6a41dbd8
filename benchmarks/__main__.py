"""Run the benchmarks of speed in turn, and print what is short of the goals.

    python -m benchmarks [--full] [MODULE …]

Without --full each takes some minutes at most, at a smaller size than that of which the goals
speak; figures of sizes that were not run are missing then, and those of smaller studies are no
proof. Nothing here fails: a benchmark that ends with an error is named at the end, and so is one
that is left out for want of PostgreSQL, whose address is in TEST_POSTGRES_URL:

    scripts/with_services.sh --fsync python -m benchmarks
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from benchmarks.figures import read_figures
from benchmarks.fresh_site import ROOT
from benchmarks.goals import BENCHMARKS, Benchmark


def run(benchmark: Benchmark, arguments: str) -> tuple[str, bool]:
    """Run one, showing what it prints; return that, and whether it came to its end."""
    command = [sys.executable, "-m", f"benchmarks.{benchmark.module}", *arguments.split()]
    print(f"\n== {' '.join(command[2:])}", flush=True)
    started, lines = time.monotonic(), []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    print(f"== {benchmark.module}: {time.monotonic() - started:.0f} s", flush=True)
    return "".join(lines), process.returncode == 0


def judged(benchmarks: Sequence[Benchmark], measured: Mapping[str, tuple[float, str]]) -> list[str]:
    """Return a line for each goal: what was measured, what is wanted, and whether it is short."""
    lines = []
    for goal in (goal for each in benchmarks for goal in each.goals):
        value, unit = measured.get(goal.figure, (None, ""))
        verdict = "not measured" if value is None else "" if goal.is_met(value) else "SHORT"
        shown = "" if value is None else f"{value:.4g} {unit}"
        lines.append(f"{goal.figure:60} {shown:>22}   {goal!s:32} {verdict}".rstrip())
    return lines


def main() -> None:
    """Run what was asked for."""
    modules = sorted({each.module for each in BENCHMARKS})
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("modules", nargs="*", help=f"some of {', '.join(modules)}")
    parser.add_argument("--full", action="store_true", help="at the sizes of the goals; hours")
    options = parser.parse_args()
    if unknown := set(options.modules) - set(modules):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    chosen = [each for each in BENCHMARKS if not options.modules or each.module in options.modules]
    server = os.environ.get("TEST_POSTGRES_URL", "")
    printed, failed, left_out = "", [], []
    for each in chosen:
        if each.postgresql and not server:
            left_out.append(each.module)
            continue
        arguments = each.full if options.full else each.quick
        text, ended = run(each, arguments + f" --postgresql {server}" * each.postgresql)
        printed += text
        failed += [] if ended else [f"{each.module} {arguments}".strip()]
    print(f"\n{'figure':60} {'measured':>22}   wanted")
    print("\n".join(judged(chosen, read_figures(printed))))
    if left_out:
        print(f"\nleft out, as no PostgreSQL server is known: {', '.join(left_out)}")
    if failed:
        print(f"\nended with an error: {', '.join(failed)}")


if __name__ == "__main__":
    main()
