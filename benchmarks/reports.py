"""How long readers of a large study wait: for its pages, and for the jobs that compute reports.

    python -m benchmarks.reports [--segments 20000] [--systems 15] [--metrics 20]

Imports a made-up study (3 ratings an output) as anybody would. One process that has nothing of it
in memory asks for pages of which nothing is known; another runs the jobs that they wait for; a
third asks again. Processor seconds are stretched less by other work on the machine than those of
the clock; memory is the most that a process held.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.site import SLUG, apart, import_study, peak_memory, timed

REPORTS = ("ranking/", "agreement/", "correlation/", "system-comparison/", "accuracy/")
STORED = ("", *REPORTS, "disagreement/", "segments/")
Row = tuple[str, float, float, float]


def measured(name: str, run: Callable[[], Any]) -> tuple[Row, Any]:
    """Return name, seconds, processor seconds and memory of something, and what it returned."""
    begun = process_time()
    seconds, found = timed(run)
    return (name, seconds, process_time() - begun, peak_memory()), found


def reader() -> Any:
    """Return a client who has shown a page: the first loads what reports need, SciPy above all."""
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.get())
    client.get(f"/studies/{SLUG}/ranking/")
    return client


def ask_for(client: Any, page: str) -> Row:
    """Ask for a page."""
    row, answer = measured(
        page.strip("/") or "study", lambda: client.get(f"/studies/{SLUG}/{page}")
    )
    if answer.status_code not in (200, 202):
        raise SystemExit(f"{page} answers {answer.status_code}")
    return row


def ask_first() -> list[Row]:
    """Ask for pages of which nothing is known yet."""
    client = reader()
    return [ask_for(client, page) for page in REPORTS]


def run_jobs() -> list[Row]:
    """Run what pages wait for: the study is read, then pages are asked for, then come reports."""
    from corpus.jobs.worker import run_next

    client = reader()
    rows: list[Row] = []
    while True:
        row, job = measured("", run_next)
        if job is None:
            return rows
        if job.state != "done":
            raise SystemExit(f"{job.kind} ended as {job.state}: {job.error}")
        rows.append((job.parameters.get("kind") or job.kind, *row[1:]))
        if job.kind == "read-study":
            asked = [ask_for(client, page) for page in REPORTS]
            rows += [(f"page of {row[0]}", *row[1:]) for row in asked]


def ask_again() -> list[Row]:
    """Ask for pages whose reports are stored, each twice; the second counts."""
    client = reader()
    return [[ask_for(client, page) for _ in range(2)][1] for page in STORED]


def main() -> None:
    """Import once, then take each step in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for name, value in (("segments", 20_000), ("systems", 15), ("metrics", 20)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="touchstone-reports-") as name:
        folder = Path(name)
        apart(folder, import_study, options.segments, options.systems, options.metrics)
        print(f"{'':34}{'seconds':>10}{'processor':>12}{'memory, MB':>12}")
        for step in (ask_first, run_jobs, ask_again):
            title = step.__name__.replace("_", " ")
            for what, *values in apart(folder, step):
                seconds, processor, memory = values
                print(f"{title + ': ' + what:34}{seconds:10.2f}{processor:12.2f}{memory:12,.0f}")


if __name__ == "__main__":
    main()
