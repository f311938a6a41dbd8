"""What a stopping rule costs annotators: the p95 of submissions with one and without, in turns.

Run ``python -m benchmarks.stopping_load``. Each turn makes two databases, and clients rate by the
shared queue of both as in `benchmarks.rating_load`: without a rule, then with one that looks at all
pairs of ten systems and is never met. Rounds then open while clients submit, and the worker that
the server runs looks at the rule after each of them.
"""

import argparse
import os
import shutil
import statistics
import tempfile
from pathlib import Path

from annotation.designs.stopping import METHODS, StoppingRule
from benchmarks.figures import show_figure
from benchmarks.rating_load import (
    CLIENTS,
    FASTEST,
    free_port,
    measure,
    prepare,
    quantile,
    serve,
)


def main() -> None:
    """Measure in turns and print the ratio of medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--method", choices=METHODS, default="empirical-bernstein")
    options = parser.parse_args()
    each = max(3, round(FASTEST * options.seconds / options.items) + 1)
    if each > options.clients:
        parser.error(
            f"a run may need {each} ratings of each item: take more items, or fewer seconds"
        )
    rule = StoppingRule("pairs", "fluency", method=options.method).stored()
    found: dict[str, list[tuple[float, float]]] = {"without": [], "with": []}
    for run in range(options.runs):
        for name, stated in (("without", None), ("with", rule)):
            rate, late, looks = run_anew(options, each, stated)
            found[name].append((rate, late))
            load = os.getloadavg()[0]
            print(
                f"run {run + 1}, {name} a rule: {rate:.1f} submissions/s, p95 {late:.1f} ms, "
                f"{looks} looks, load of the machine {load:.1f}",
                flush=True,
            )
    rates, late = (
        {name: statistics.median(each[place] for each in runs) for name, runs in found.items()}
        for place in range(2)
    )
    for name in found:
        show_figure(f"stopping_load.{name}.p95", late[name], "ms")
        show_figure(f"stopping_load.{name}", rates[name], "submissions/s")
    show_figure("stopping_load.ratio_of_p95", late["with"] / late["without"], "times")


def run_anew(
    options: argparse.Namespace, each: int, rule: dict[str, object] | None
) -> tuple[float, float, int]:
    """Rate in a database of its own; return submissions a second, their p95 in ms, and looks."""
    folder = Path(tempfile.mkdtemp(prefix="touchstone-stopping-"))
    try:
        people = prepare(folder, options.items, options.clients, "shared_queue", each, rule)
        port = free_port()
        server = serve(folder, port)
        try:
            clients = measure(port, people, options.seconds, drafts=False)
            looks = looks_done(folder)
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if errors := [error for client in clients for error in client.errors]:
        raise SystemExit(f"{len(errors)} submissions failed, such as: {errors[0]}")
    times = [taken for client in clients for taken in client.submits]
    return len(times) / options.seconds, quantile(times, 0.95), looks


def looks_done(folder: Path) -> int:
    """Return how many times the worker has looked at the rule."""
    import sqlite3

    [database] = folder.glob("*.sqlite3")
    with sqlite3.connect(database) as connection:
        count = "SELECT count(*) FROM corpus_job WHERE kind = 'stopping rule' AND state = 'done'"
        return int(connection.execute(count).fetchone()[0])


if __name__ == "__main__":
    main()
