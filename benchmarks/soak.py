"""Whether memory and database grow as they should while thousands of annotators rate for long.

    python -m benchmarks.soak [--sessions 10000] [--submissions 200000] [--minutes 60]

Every session, that is an annotator with a link and cookies of their own, submits in its turn, so
that all are open until the end; 20 requests are under way at any time. Every second the memory of
all processes of the server (shared pages counted once) and the size of the database are sampled.
Slopes are of a straight line through the second half, in which caches are filled: samples are
averaged in 20 parts first, as neighbours are alike, and intervals are those of least squares.
"""

import argparse
import http.client
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats

from benchmarks.rating_load import Client, prepare, quantile, serve
from benchmarks.site import free_port, show_figure
from benchmarks.starts import held_megabytes

AT_ONCE = 20
RATINGS_PER_ITEM = 10
PARTS = 20
PER = 100_000  # Slopes are given for so many submissions.


class Sample(NamedTuple):
    """What was seen at one moment."""

    submissions: int
    memory: float
    database: float


class Soak:
    """Sessions that submit in turns, in some threads, until each has done so or time is over.

    Parameters
    ----------
    port
    people
        Public id and link of each.
    each
        How often each submits.
    """

    def __init__(self, port: int, people: Sequence[Sequence[str]], each: int) -> None:
        self.port, self.people, self.each = port, people, each
        self.until = 0.0
        self.times: list[float] = []
        self.errors: list[str] = []

    def run(self, seconds: float, sample: Callable[[int], Sample]) -> list[Sample]:
        """Run to the end; return samples, one a second."""
        threads = [
            threading.Thread(target=self._work, args=(self.people[n::AT_ONCE],))
            for n in range(AT_ONCE)
        ]
        self.until, samples = time.perf_counter() + seconds, [sample(0)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(1)
            samples.append(sample(len(self.times)))
        return samples

    def _work(self, people: Sequence[Sequence[str]]) -> None:
        client = Client(self.port, "", "")
        # Appending is safe between threads.
        client.submits, client.errors = self.times, self.errors
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
        return client.connection.close()


def slope(at: Sequence[float], values: Sequence[float]) -> tuple[float, float, float]:
    """Return the slope of the second half for `PER` submissions, and its 95 % interval."""
    half = np.asarray(at) >= np.max(at) / 2
    parts = [np.asarray(each)[half] for each in (at, values)]
    if half.sum() > PARTS:
        parts = [np.array([np.mean(p) for p in np.array_split(each, PARTS)]) for each in parts]
    if len(parts[0]) < 3:
        raise SystemExit("too few samples for a slope: let it run for longer")
    line = stats.linregress(parts[0], parts[1])
    reach = line.stderr * stats.t.ppf(0.975, len(parts[0]) - 2)
    low, high = line.slope - reach, line.slope + reach
    return float(PER * line.slope), float(PER * low), float(PER * high)


def soak(folder: Path, sessions: int, each: int, seconds: float) -> tuple[Soak, list[Sample]]:
    """Make the campaign, run the server and the sessions."""
    items = max(10, -(-sessions * each // RATINGS_PER_ITEM // 10) * 10)
    wanted = min(RATINGS_PER_ITEM, sessions)
    people = prepare(folder, items, sessions, "balanced_overlap", wanted)
    port = free_port()
    process = serve(folder, port)

    def sample(submissions: int) -> Sample:
        stored = sum(file.stat().st_size for file in folder.glob("touchstone.sqlite3*"))
        return Sample(submissions, held_megabytes(process.pid), stored / 1e6)

    try:
        running = Soak(port, people, each)
        return running, running.run(seconds, sample)
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--submissions", type=int, default=200_000)
    parser.add_argument("--minutes", type=float, default=60, help="after which no more is sent")
    options = parser.parse_args()
    each = max(options.submissions // options.sessions, 1)
    with tempfile.TemporaryDirectory(prefix="touchstone-soak-") as name:
        running, samples = soak(Path(name), options.sessions, each, 60 * options.minutes)
    show_figure("submissions", len(running.times), "")
    show_figure("rate", len(running.times) / (len(samples) - 1), "submissions/s")
    show_figure("p95", quantile(running.times, 0.95), "ms")
    show_figure("errors", len(running.errors), " ".join(sorted(set(running.errors))[:1]))
    at = [each.submissions for each in samples]
    for what in ("memory", "database"):
        values = [getattr(each, what) for each in samples]
        show_figure(f"{what}, before", values[0], "MB")
        show_figure(f"{what}, after", values[-1], "MB")
        value, low, high = slope(at, values)
        unit = f"MB for {PER:,} submissions ({low:.3g} to {high:.3g})"
        show_figure(f"{what}, slope", value, unit)


if __name__ == "__main__":
    main()
