"""How fast the pages of a very large study answer.

    python -m benchmarks.pages_at_size [--segments 20000] [--metrics 20] [--keep FOLDER]

Imports a simulated study (15 systems, 3 ratings an output) as anybody would, into a database of its
own. A process that has nothing of the study in memory asks for pages; then another runs the jobs
that they wait for; then a third asks again. "processor" is processor time, which other work on the
machine stretches less than the clock's; "memory" is what only this process holds, without files
that it shares with others. `benchmarks.goals` says what is wanted of them.
"""

import argparse
import re
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.figures import show_figure
from benchmarks.fresh_site import (
    SLUG,
    import_study,
    reader,
    run_step,
    start_django,
    steps_over,
    timed,
)
from benchmarks.report_pages import write_study

SYSTEMS = 15
REPORTS = ("ranking", "agreement", "correlation", "system-comparison", "accuracy")


def prepare(segments: int, metrics: int) -> None:
    """Make the database and import the study."""
    start_django()
    from metrics.models import Metric

    import_study(lambda folder: write_study(folder, segments, metrics, 1, SYSTEMS))
    Metric.objects.update(orientation="higher")


def ask_first() -> None:
    """Ask for pages of which nothing is known yet."""
    start_django()
    client = reader()
    for kind in REPORTS:
        _ask(client, "first", f"{kind}/")
    _tell_memory("first")


def run_jobs() -> None:
    """Run what pages wait for: the reading of the study, then the reports asked for again."""
    start_django()
    from corpus.jobs.worker import run_next

    client = reader()
    while job := _timed_job(run_next):
        if job.kind == "read-study":
            for kind in REPORTS:
                client.get(f"/studies/{SLUG}/{kind}/")


def ask_again() -> None:
    """Ask for pages whose reports are stored, each twice, in a process that is new to them."""
    start_django()
    client = reader()
    for page in ("", *(f"{each}/" for each in (*REPORTS, "disagreement", "segments"))):
        client.get(f"/studies/{SLUG}/{page}")
        _ask(client, "again", page)
    _tell_memory("again")


def _timed_job(run_next: Any) -> Any:
    begun = process_time()
    seconds, job = timed(run_next)
    if job is not None:
        what = f"{job.kind} {job.parameters.get('kind', '')}"
        print(f"{what:44} {seconds:8.2f} s {process_time() - begun:8.2f} processor")
    return job


def _ask(client: Any, step: str, page: str) -> None:
    begun = process_time()
    seconds, answer = timed(lambda: client.get(f"/studies/{SLUG}/{page}"))
    used = process_time() - begun
    print(f"{page or 'study':38} {answer.status_code:5} {seconds:8.2f} s {used:8.2f} processor")
    show_figure(f"pages_at_size.{step}.{page.strip('/') or 'study'}", seconds, "s")


def _tell_memory(step: str) -> None:
    """Print the memory that only this process holds."""
    text = Path("/proc/self/smaps_rollup").read_text(encoding="utf-8")
    [kilobytes] = re.findall(r"^Anonymous: +([0-9]+) kB$", text, re.MULTILINE)
    show_figure(f"pages_at_size.{step}.memory", int(kilobytes) / 1024, "MB")


def main() -> None:
    """Import once, then take each step in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--metrics", type=int, default=20)
    parser.add_argument("--keep", help="folder of a database to make, or to use again")
    parser.add_argument("--of-process", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    steps = {"first": ask_first, "jobs": run_jobs, "again": ask_again}
    if options.of_process == "prepare":
        return prepare(options.segments, options.metrics)
    if options.of_process:
        return steps[options.of_process]()
    for data, step in steps_over(options.keep, steps):
        print(f"-- {step}", flush=True)
        run_step(data, "pages_at_size", "--of-process", step)
    return None


if __name__ == "__main__":
    main()
