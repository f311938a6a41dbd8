"""Touchstone beside Pearmut and Potato: importing and rating, in turns.

    python -m benchmarks.peers [--items 1000 5000 100000] [--clients 1 20] [--only Pearmut]

Each other tool is installed, pinned, into an environment of its own that is kept in the user's
cache folder. An import lasts from the items to the first rater who can rate; a rating from sending
it until the next item is there. Clients rate without think time and share the machine with the
server. Medians over rounds are shown; the order of the tools changes from round to round.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from http.client import HTTPException
from pathlib import Path

from benchmarks.peer_tools import TOOLS, Rater, Tool
from benchmarks.rating_load import quantile
from benchmarks.site import timed

KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "touchstone-peers"
PYTHONS = (
    "python3.12",
    "python3.13",
    *map(str, Path.home().glob(".pyenv/versions/3.1[23].*/bin/python")),
)
MOST_ERRORS = 5
Measured = dict[tuple[str, str], list[float]]


def programs_of(tool: type[Tool]) -> Path:
    """Return the folder of commands of the environment in which a tool is installed."""
    if not tool.requirement:
        return Path(sys.executable).parent
    folder = KEPT / tool.requirement.replace("==", "-")
    done = folder / "complete"
    if not done.exists():
        print(f"installing {tool.requirement}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([_python(), "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, tool.requirement], check=True)
        done.touch()
    return folder / "bin"


def _python() -> str:
    """Return a Python that all tools run on; a version manager's command may lead nowhere."""
    for command in filter(shutil.which, PYTHONS):
        if subprocess.run([command, "-c", ""], capture_output=True).returncode == 0:
            return command
    raise SystemExit("Pearmut needs Python 3.12 or 3.13, which is not here")


class Load:
    """Raters who rate at once, without pause, for some seconds from when all see an item."""

    def __init__(self, raters: list[Rater], seconds: float) -> None:
        self.seconds = seconds
        self.times: list[float] = []
        self.errors: list[str] = []
        self.ready = threading.Barrier(len(raters) + 1)
        threads = [threading.Thread(target=self._work, args=(rater,)) for rater in raters]
        for thread in threads:
            thread.start()
        self.ready.wait()
        begun = time.perf_counter()
        for thread in threads:
            thread.join()
        self.took = time.perf_counter() - begun

    def _work(self, rater: Rater) -> None:
        shown = self._enter(rater)
        self.ready.wait()
        end, mistakes = time.perf_counter() + self.seconds, 0
        while shown and mistakes < MOST_ERRORS and time.perf_counter() < end:
            begun = time.perf_counter()
            try:
                shown = rater.rate()
                self.times.append(time.perf_counter() - begun)
            except (OSError, HTTPException, ValueError) as error:
                mistakes += 1
                self.errors.append(f"{type(error).__name__}: {error}")
                shown = self._enter(rater)

    def _enter(self, rater: Rater) -> bool:
        """Open the page, and again if it does not come: some servers refuse many at once."""
        for _ in range(MOST_ERRORS):
            try:
                return rater.enter()
            except (OSError, HTTPException, ValueError) as error:
                self.errors.append(f"{type(error).__name__}: {error}")
                rater.connection.close()
                time.sleep(0.3)
        return False


def visit(tool: Tool, sizes: list[int], clients: list[int], seconds: float) -> Measured:
    """Measure a tool once, at every size and load; figures are none where all failed."""
    found: Measured = defaultdict(list)
    for items in sizes:
        for number in clients:
            taken, _ = timed(lambda i=items: tool.fill(i, max(clients)))
            found[f"import of {items:,}", "s"].append(taken)
            load = Load([tool.rater(n) for n in range(number)], seconds)
            what = f"{items:,} items, {number} client{'s' * (number > 1)}"
            found[what, "ratings/s"].append(len(load.times) / load.took)
            found[what, "p95, ms"].append(quantile(load.times, 0.95))
            if load.errors:
                print(f"  {type(tool).__name__}, {what}: {len(load.errors)} errors, such as")
                print(f"  {load.errors[0][:200]}", flush=True)
    return found


def main() -> None:
    """Measure in turns and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--items", type=int, nargs="+", default=[1000, 5000, 100_000])
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 20])
    parser.add_argument("--seconds", type=float, default=3, help="of each load")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=[tool.__name__ for tool in TOOLS])
    options = parser.parse_args()
    tools = [tool for tool in TOOLS if tool.__name__ in options.only]
    programs = {tool: programs_of(tool) for tool in tools}
    figures: dict[str, Measured] = {tool.__name__: defaultdict(list) for tool in tools}
    for turn in range(options.rounds):
        for tool in tools[:: 1 - 2 * (turn % 2)]:
            with tempfile.TemporaryDirectory(prefix="touchstone-peers-") as name:
                running = tool(Path(name), programs[tool])
                try:
                    found = visit(running, options.items, options.clients, options.seconds)
                finally:
                    running.stop()
            for figure, values in found.items():
                figures[tool.__name__][figure] += values
    names = list(figures)
    print(f"{'':30}{'':12}" + "".join(f"{name:>14}" for name in names))
    for what, unit in figures[names[0]]:
        cells = (f"{statistics.median(figures[name][what, unit]):14,.2f}" for name in names)
        print(f"{what:30}{unit:12}" + "".join(cells))


if __name__ == "__main__":
    main()
