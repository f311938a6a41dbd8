"""Whether memory and database grow as they should while thousands of annotators rate for long.

    python -m benchmarks.soak [--sessions 10000] [--submissions 200000] [--minutes 60]

Makes a database of its own and starts the server as `make run` does. Every session, that is an
annotator with a link and cookies of their own, submits in its turn, so that all are open until the
end; 20 requests are under way at any time. Every second the memory of all processes of the server
(shared pages counted once) and the size of the database are sampled. The slope is of a straight
line through the second half, in which caches are filled: samples are averaged in 20 parts first, as
neighbours are alike, and the interval is that of least squares over the parts.
"""

import argparse
import http.client
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.figures import show_figure
from benchmarks.peers.machine import commit, machine
from benchmarks.peers.measured import keep
from benchmarks.peers.processes import megabytes_of_all
from benchmarks.rating_load import (
    Client,
    free_port,
    new_database,
    prepare,
    quantile,
    serve,
)

AT_ONCE = 20
RATINGS_PER_ITEM = 10
PARTS = 20
PER = 100_000  # Slopes are given for so many submissions.


@dataclass
class Sample:
    """What was seen at one moment."""

    seconds: float
    submissions: int
    megabytes: float
    database: float


@dataclass
class Soak:
    """Sessions that submit in turns, in some threads, until each has done so or time is over."""

    port: int
    people: Sequence[Sequence[str]]
    each: int
    seconds: float
    until: float = 0
    count: int = 0
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, sample: Callable[[float, int], Sample]) -> list[Sample]:
        """Run to the end; return samples, one a second."""
        threads = [
            threading.Thread(target=self._work, args=(self.people[n::AT_ONCE],))
            for n in range(AT_ONCE)
        ]
        started, samples = time.perf_counter(), []
        self.until = started + self.seconds
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(1)
            samples.append(sample(time.perf_counter() - started, self.count))
        return samples

    def _work(self, people: Sequence[Sequence[str]]) -> None:
        client = Client(self.port, "", "", drafts=False)
        forms: dict[str, dict[str, str]] = {}
        cookies: dict[str, dict[str, str]] = {}
        for turn in range(self.each):
            for public_id, token in people:
                if time.perf_counter() > self.until:
                    return client.connection.close()
                client.public_id, client.token = public_id, token
                client.cookies = cookies.setdefault(public_id, {})
                try:
                    form = forms.get(public_id) if turn else client.enter()
                    forms[public_id] = client.submit(form) if form else {}
                except (OSError, http.client.HTTPException) as error:
                    client.errors.append(repr(error))
                    client.connection.close()
                with self.lock:
                    self.count += len(client.submits)
                    self.times += client.submits
                    self.errors += client.errors
                client.submits, client.errors = [], []
        return client.connection.close()


def size_of(folder: Path, address: str) -> float:
    """Return the megabytes of a database, of SQLite with what waits in its log."""
    if not address:
        return sum(file.stat().st_size for file in folder.glob("*.sqlite3*")) / 1e6
    import psycopg

    with psycopg.connect(address) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return float(row[0]) / 1e6 if row else 0.0


def slope(at: Sequence[float], values: Sequence[float]) -> tuple[float, float, float]:
    """Return the slope of the second half for `PER` submissions, and its 95 % interval.

    Parameters
    ----------
    at
        Submissions at each sample.
    values
    """
    half = np.asarray(at) >= np.max(at) / 2
    parts = [np.asarray(each)[half] for each in (at, values)]
    if half.sum() > PARTS:
        parts = [np.array([np.mean(p) for p in np.array_split(each, PARTS)]) for each in parts]
    if len(parts[0]) < 3:
        raise SystemExit("too few samples for a slope: let it run for longer")
    line = stats.linregress(parts[0], parts[1])
    reach = line.stderr * stats.t.ppf(0.975, len(parts[0]) - 2)
    steps = (line.slope, line.slope - reach, line.slope + reach)
    return tuple(float(PER * each) for each in steps)  # type: ignore[return-value]


def soak(sessions: int, submissions: int, server: str, minutes: float) -> dict[str, Any]:
    """Make the campaign, run the server and the sessions; return what is kept."""
    each = max(submissions // sessions, 1)
    folder = Path(tempfile.mkdtemp(prefix="touchstone-soak-"))
    try:
        variables = new_database(server, "touchstone_soak") if server else {}
        address = variables.get("DATABASE_URL", "")
        begun = time.perf_counter()
        items = max(10, -(-sessions * each // RATINGS_PER_ITEM // 10) * 10)
        wanted = min(RATINGS_PER_ITEM, sessions)
        people = prepare(folder, items, sessions, "balanced_overlap", wanted, **variables)
        print(f"{sessions:,} annotators in {time.perf_counter() - begun:.0f} s", flush=True)
        port = free_port()
        process = serve(folder, port, **variables)
        try:
            running = Soak(port, people, each, 60 * minutes)
            begun = time.perf_counter()

            def sample(seconds: float, count: int) -> Sample:
                memory = megabytes_of_all(process.pid)
                return Sample(seconds, count, memory, size_of(folder, address))

            samples = [sample(0, 0), *running.run(sample)]
        finally:
            process.terminate()
            process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return summary(running, samples, "PostgreSQL" if server else "SQLite", sessions)


def summary(
    running: Soak, samples: Sequence[Sample], database: str, sessions: int
) -> dict[str, Any]:
    """Return what is kept of a run, with at most 60 of its samples."""
    at = [each.submissions for each in samples]
    kept = samples[:: max(1, len(samples) // 60)]
    return {
        "about": machine() | {"version": commit()},
        "database": database,
        "sessions": sessions,
        "submissions": running.count,
        "errors": len(running.errors),
        "error": max(set(running.errors), key=running.errors.count) if running.errors else "",
        "seconds": samples[-1].seconds,
        "p50": quantile(running.times, 0.5),
        "p95": quantile(running.times, 0.95),
        "memory": {"first": samples[0].megabytes, "last": samples[-1].megabytes}
        | {"slope": slope(at, [each.megabytes for each in samples])},
        "stored": {"first": samples[0].database, "last": samples[-1].database}
        | {"slope": slope(at, [each.database for each in samples])},
        "samples": [[round(value, 1) for value in vars(each).values()] for each in kept],
    }


def main() -> None:
    """Run, print and keep."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--submissions", type=int, default=200_000)
    parser.add_argument("--postgresql", metavar="URL", default="", help="a server to make one on")
    parser.add_argument("--minutes", type=float, default=60, help="after which no more is sent")
    parser.add_argument("--trial", action="store_true", help="keep nothing")
    options = parser.parse_args()
    result = soak(options.sessions, options.submissions, options.postgresql, options.minutes)
    name = "soak.postgresql" if options.postgresql else "soak"
    show_figure(f"{name}.rate", result["submissions"] / result["seconds"], "submissions/s")
    show_figure(f"{name}.errors", result["errors"], "errors")
    for what in ("memory", "stored"):
        value, low, high = result[what]["slope"]
        print(f"{what}: {value:.2f} MB ({low:.2f} to {high:.2f}) for {PER:,} submissions")
        show_figure(f"{name}.{what}.slope", value, f"MB for {PER:,} submissions")
    if not options.trial:
        keep(name, result)


if __name__ == "__main__":
    main()
