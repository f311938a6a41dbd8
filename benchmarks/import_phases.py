"""Where the time of a large import goes, and what of it several workers could divide.

    python -m benchmarks.import_phases [--rows 1000000] [--postgresql URL]

Outputs, ratings, scores row by row and scores of 20 metrics in columns are imported from CSV files
one after another, each into the study that those before it made, into SQLite or, given a server,
into PostgreSQL. For each phase: seconds on the clock, then processor seconds of the worker, of the
process that reads the files for it, and of PostgreSQL.

Workers could divide reading and staging. What else there is each of them would do (loading the
places of the outputs) or one of them alone. "At most" is by how much two workers would be faster if
reading and staging took half as long and dividing it nothing, on cores that nobody else uses. It
is computed from processor seconds, which other programs that run meanwhile change little. Worker
and database wait for each other; the reading process works beside them, so that one worker uses
two cores already.
"""

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.figures import show_figure
from benchmarks.fresh_site import SLUG, run_step, start_django, write_table
from benchmarks.importing import write_study
from benchmarks.rating_load import new_database

SYSTEMS = 10
METRICS = 20
CASES = ("outputs", "ratings", "scores", "wide scores")
LOADING, DIVISIBLE = "loading places", "reading, staging"
PHASES = ("finding files", LOADING, DIVISIBLE, "checking", "preparing", "publishing", "clearing")
TICKS = os.sysconf("SC_CLK_TCK")
Costs = dict[str, Counter[str]]


def write_case(folder: Path, case: str, rows: int) -> None:
    """Write the files of one import."""
    folder.mkdir()
    if case == "outputs":
        write_study(folder, rows)
        return
    keys = ((n, m) for n in range(rows // SYSTEMS) for m in range(SYSTEMS))
    if case == "ratings":
        lines = (f"s{n:05},system-{m},r{n % 30:02},style,{(n * 7 + m) % 101}\n" for n, m in keys)
        write_table(folder / "ratings.csv", "segment,system,rater,aspect,score\n", lines)
    elif case == "wide scores":
        names = ",".join(f"score_metric-{number}" for number in range(METRICS))
        lines = (
            f"s{n:05},system-{m},"
            + ",".join(f"{(n * 7 + m * number) % 997 / 997:.4f}" for number in range(METRICS))
            + "\n"
            for n, m in keys
        )
        write_table(folder / "metric_scores.csv", f"segment,system,{names}\n", lines)
    else:
        lines = (f"s{n:05},system-{m},chosen,{(n * 7 + m) % 997 / 997:.6f}\n" for n, m in keys)
        write_table(folder / "metric_scores.csv", "segment,system,metric,score\n", lines)


class Watch:
    """Adds up what each phase costs."""

    def __init__(self) -> None:
        self.costs: Costs = {phase: Counter() for phase in PHASES}
        self.reader: Any = None
        self._inside: list[Counter[str]] = []

    def _now(self) -> Counter[str]:
        from django.db import connection

        now = {"clock": time.perf_counter(), "worker": time.process_time()}
        process = self.reader and self.reader._process
        if process:
            now["reader"] = _processor_seconds(process._process.pid)
        if connection.vendor == "postgresql":
            connection.ensure_connection()
            raw = connection.connection
            assert isinstance(raw, psycopg.Connection)
            now["database"] = _processor_seconds(raw.info.backend_pid)
        return Counter(now)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count what is done inside as a phase, less the phases in it."""
        before = self._now()
        self._inside.append(Counter())
        yield
        after = self._now()
        # The reading process starts with the first file.
        cost = Counter({what: value - before.get(what, 0) for what, value in after.items()})
        inner = self._inside.pop()
        self.costs[name].update(cost)
        self.costs[name].subtract(inner)
        if self._inside:
            self._inside[-1].update(cost)

    def counted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose calls count as a phase."""

        @wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            with self.phase(name):
                found = function(*arguments, **options)
                return list(found) if isinstance(found, Iterator) else found

        return call


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def import_one(folder: Path) -> Costs:
    """Import a folder; return what each phase cost."""
    from corpus.imports import batch, run
    from corpus.imports.options import ImportOptions
    from corpus.imports.service import import_job, import_key
    from corpus.jobs.foreground import run_in_foreground
    from corpus.models import Study
    from corpus.tables import handlers

    watch = Watch()
    before = {name: getattr(run, name) for name in ("recognise", "publish", "_discard", "_stage")}

    def recognised(reading: Any, *rest: Any) -> Any:
        watch.reader = reading
        return before["recognise"](reading, *rest)

    places = batch.Places
    batch.Places = watch.counted(LOADING, places)  # type: ignore[assignment, misc]
    run.recognise = watch.counted("finding files", recognised)
    run.publish = watch.counted("publishing", before["publish"])
    run._discard = watch.counted("clearing", before["_discard"])
    run._stage = watch.counted(DIVISIBLE, before["_stage"])
    for handler in handlers():
        handler.problems = watch.counted("checking", type(handler).problems.__get__(handler))  # type: ignore[method-assign]
        handler.prepare = watch.counted("preparing", type(handler).prepare.__get__(handler))  # type: ignore[method-assign]
    study, _ = Study.objects.get_or_create(slug=SLUG)
    begun = time.perf_counter()
    job = run_in_foreground(
        "import",
        import_key(study),
        study=study,
        parameters=import_job(folder, ImportOptions(accept=True)),
    )
    watch.costs["all"] = Counter(clock=time.perf_counter() - begun)
    batch.Places = places  # type: ignore[misc]
    for name, function in before.items():
        setattr(run, name, function)
    if job.state != "done":
        raise SystemExit(f"the import ended as {job.state}: {job.error}")
    return watch.costs


def measure(options: argparse.Namespace) -> None:
    """Import each case into one database, and print its phases."""
    start_django()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as name:
        for case in CASES:
            folder = Path(name) / case
            write_case(folder, case, options.rows)
            show(f"{case}, {connection.vendor}, {options.rows}", import_one(folder))


def show(title: str, costs: Costs) -> None:
    """Print the phases of an import."""
    columns = ("clock", "worker", "reader", "database")
    print(f"{title:34}" + "".join(f"{name:>10}" for name in columns))
    for phase in PHASES:
        cells = "".join(f"{costs[phase][name]:9.1f}s" for name in columns)
        print(f"  {phase:32}{cells}", flush=True)
    show_figure(f"import_phases.{title.replace(', ', '.').replace(' ', '_')}", _alone(costs), "s")
    many, two = most_gained(costs)
    print(
        f"  {'all':32}{costs['all']['clock']:9.1f}s; two workers at most {many:.2f} times as fast, "
        f"on two cores {two:.2f}\n",
        flush=True,
    )


def _alone(costs: Costs) -> float:
    """Return the seconds of an import by one worker with enough cores for reader and database."""
    steps = sum(cost["worker"] + cost["database"] for cost in costs.values())
    return steps + max(0.0, _reader_alone(costs))


def _reader_alone(costs: Costs) -> float:
    """Return for how long worker and database wait for the process that reads."""
    reading = costs[DIVISIBLE]
    return reading["reader"] - reading["worker"] - reading["database"]


def most_gained(costs: Costs) -> tuple[float, float]:
    """Return how many times as fast two workers could be at most: on many cores, and on two."""
    reading, one = costs[DIVISIBLE], _alone(costs)
    used = reading["worker"] + reading["database"]
    now = used + max(0.0, _reader_alone(costs))
    return one / (one - now / 2), one / (one - now + (used + reading["reader"]) / 2)


def main() -> None:
    """Measure in processes with databases of their own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--postgresql", metavar="URL", help="a server to make a database on")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        return measure(options)
    database = new_database(options.postgresql) if options.postgresql else {}
    with tempfile.TemporaryDirectory() as data:
        run_step(data, "import_phases", "--here", **database)
    return None


if __name__ == "__main__":
    main()
