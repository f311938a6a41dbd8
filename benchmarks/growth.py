"""How a site grows with its scores and ratings, in bytes and in time.

    python -m benchmarks.growth [--sizes 100000 1000000 10000000] [--postgresql URL]

For each size, in a database of its own: a study of ten systems with a score of each of 20 metrics
for every output, and a campaign in which every output was rated. It prints seconds and bytes for
each output, score, assignment and submission; how long pages and reports take, with the number of
queries, first ("first", with the jobs that they wait for) and stored ("again"); how long the scores
of a run and the whole study take to load; and how many submissions a second the server takes
beside all this, in another campaign, from 20 clients. At the end, for everything measured at two
sizes or more, the exponent b of its growth with the size, N^b: least squares on logarithms.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.figures import read_figures, show_figure
from benchmarks.fresh_site import ROOT, SLUG, reader, shown, start_django, timed
from benchmarks.grown_site import database_size, fill

PAGES = ("", "segments/", "ranking/", "correlation/", "system-comparison/")
CLIENTS, ITEMS, SECONDS = 20, 2000, 15.0
RATING = "rate_beside"


def fill_site(options: argparse.Namespace) -> None:
    """Make the database and fill it."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    User.objects.create_superuser("reader", password="not used")
    for phase in fill(options.size, options.metrics, options.ratings):
        each = phase.seconds / phase.rows
        print(f"  {phase.rows:>12,} × {phase.what:11} {phase.seconds:8.1f} s", flush=True)
        show_figure(f"growth.{phase.what}.bytes", phase.size / phase.rows, "bytes")
        show_figure(f"growth.{phase.what}.write", 1e6 * each, "µs")
    show_figure("growth.database", database_size() / 1e6, "MB")


def load_arrays(options: argparse.Namespace) -> None:
    """Read a run's scores, and all of the study, into arrays."""
    from analysis.data.reading import read_study
    from corpus.models import Output, Study
    from metrics.models import MetricRun
    from metrics.runs.packed_scores import load_scores

    run, outputs = MetricRun.objects.first(), Output.objects.count()
    assert run is not None
    seconds, _ = timed(lambda: load_scores(run.pk, outputs=outputs, fields=1))
    show_figure("growth.load.run", seconds, "s")
    seconds, _ = timed(lambda: read_study(Study.objects.get(), withdrawn=False))
    show_figure("growth.load.study", seconds, "s")
    _show_memory("load")


def ask_pages(options: argparse.Namespace) -> None:
    """Ask for pages of which nothing is known yet, with the jobs that they wait for."""
    client = reader()
    for page in PAGES:
        seconds, _ = timed(lambda page=page: shown(client, f"/studies/{SLUG}/{page}"))
        show_figure(f"growth.first.{page.strip('/') or 'study'}", seconds, "s")
    _show_memory("first")


def ask_again(options: argparse.Namespace) -> None:
    """Ask for pages whose reports are stored, and count their queries."""
    client = reader()
    for page in PAGES:
        name, path = page.strip("/") or "study", f"/studies/{SLUG}/{page}"
        client.get(path)
        with _counted_queries() as asked:
            seconds, _ = timed(lambda path=path: client.get(path))
        show_figure(f"growth.again.{name}", seconds, "s")
        show_figure(f"growth.again.{name}.queries", len(asked), "queries")


@contextmanager
def _counted_queries() -> Iterator[list[str]]:
    from django.db import connection

    asked: list[str] = []

    def count(execute: Any, sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        yield asked


STEPS = {step.__name__: step for step in (fill_site, load_arrays, ask_pages, ask_again)}


def rate_beside(folder: Path, variables: dict[str, str]) -> None:
    """Let clients rate in a small campaign of a site that has all the rest."""
    from benchmarks.rating_load import free_port, measure, prepare, quantile, serve

    people = prepare(folder, ITEMS, CLIENTS, "balanced_overlap", CLIENTS, **variables)
    start_django()
    before, port = database_size(), free_port()
    used = _of_children()
    server = serve(folder, port, **variables)
    try:
        clients = measure(port, people, SECONDS, drafts=False)
    finally:
        server.terminate()
        server.wait()
    used = _of_children() - used
    times = [each for client in clients for each in client.submits]
    if errors := [each for client in clients for each in client.errors]:
        print(f"  {len(errors)} errors, such as {errors[0]}")
    show_figure("growth.live_submission.bytes", (database_size() - before) / len(times), "bytes")
    show_figure("growth.submissions", len(times) / SECONDS, "submissions/s")
    show_figure("growth.submissions.processor", 1000 * used / len(times), "ms")
    show_figure("growth.submissions.p95", quantile(times, 0.95), "ms")


def _of_children() -> float:
    """Return the processor seconds of all processes that this one started and that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _show_memory(step: str) -> None:
    """Print the most memory that this process took, with files that it shares with others."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    show_figure(f"growth.{step}.memory", memory, "MB")


def run_size(size: int, options: argparse.Namespace) -> dict[str, tuple[float, str]]:
    """Measure one size; return its figures."""
    from benchmarks.rating_load import new_database

    printed = ""
    with tempfile.TemporaryDirectory(prefix="touchstone-growth-", dir=options.folder) as name:
        variables = {"DATABASE_URL": f"sqlite:///{name}/fresh.sqlite3"}
        if options.postgresql:
            variables = new_database(options.postgresql, "touchstone_growth")
        environment = os.environ | variables | {"TOUCHSTONE_DATA": name, "LOG_LEVEL": "ERROR"}
        for step in options.steps:
            if step == RATING:
                continue
            command = [sys.executable, "-m", "benchmarks.growth", "--of-process", step]
            command += ["--size", str(size), "--metrics", str(options.metrics)]
            command += ["--ratings", str(options.ratings)]
            printed += _shown_output(command, environment)
        if RATING in options.steps:
            code = (
                "from pathlib import Path; from benchmarks.growth import rate_beside;"
                f"rate_beside(Path({name!r}), {variables!r})"
            )
            printed += _shown_output([sys.executable, "-c", code], environment)
    return read_figures(printed)


def _shown_output(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    print(done.stdout, end="", flush=True)
    return done.stdout


def exponents(measured: dict[int, dict[str, tuple[float, str]]]) -> dict[str, float]:
    """Return the exponent of growth of each figure that was measured at two sizes or more."""
    import numpy as np

    points = defaultdict(list)
    for size, figures in measured.items():
        for name, (value, _) in figures.items():
            if value > 0:
                points[name].append((size, value))
    fitted = {}
    for name, pairs in points.items():
        if len(pairs) > 1:
            logs = np.log(np.array(pairs, dtype=float))
            fitted[name] = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
    return fitted


def main() -> None:
    """Measure each size in processes of its own, and print how everything grew."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    sizes = [100_000, 1_000_000, 10_000_000]
    parser.add_argument("--sizes", type=int, nargs="+", default=sizes, help="numbers of scores")
    parser.add_argument("--metrics", type=int, default=20)
    parser.add_argument(
        "--ratings", type=int, default=1, help="submissions for each output; 0 for none"
    )
    known = [*STEPS, RATING]
    parser.add_argument("--steps", nargs="+", choices=known, default=known, help="only these")
    parser.add_argument("--folder", help="where databases are made, such as on another disk")
    parser.add_argument("--postgresql", metavar="URL", help="a server to make databases on")
    parser.add_argument("--of-process", help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.of_process:
        start_django()
        STEPS[options.of_process](options)
        return
    measured = {}
    for size in options.sizes:
        database = "PostgreSQL" if options.postgresql else "SQLite"
        load = os.getloadavg()[0]
        print(f"-- {size:,} scores, {database}, load {load:.1f} before", flush=True)
        measured[size] = run_size(size, options)
    print(f"\n{'figure':36}" + "".join(f"{size:>14,}" for size in measured) + f"{'b':>8}")
    fitted = exponents(measured)
    for name, (_, unit) in measured[options.sizes[0]].items():
        values = "".join(f"{figures[name][0]:14.4g}" for figures in measured.values())
        exponent = f"{fitted[name]:8.2f}" if name in fitted else ""
        print(f"{name.removeprefix('growth.'):36}{values}{exponent} {unit}")


if __name__ == "__main__":
    main()
