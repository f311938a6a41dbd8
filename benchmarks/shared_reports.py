"""How much sooner two workers compute a report that resamples than one does.

    python -m benchmarks.shared_reports [--workers 2] [--threads 1] [--turns 3] [--segments 5000]

A simulated study of 10 systems and 20 metrics: each kind of report that is divided, the comparison
by Pearson's r and by Spearman's. Numbers of workers take turns; each job has another seed, so that
nothing is stored, and the first of each worker is not counted, which loads libraries and the study.
Counted is the whole job: what is not divided too.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from typing import Any

from benchmarks.figures import show_figure
from benchmarks.fresh_site import ROOT, import_study, run_step, start_django, steps_over
from benchmarks.report_pages import write_study

CASES: dict[str, tuple[str, dict[str, str]]] = {
    "pearson": ("comparison", {}),
    "spearman": ("comparison", {"statistic": "spearman"}),
    **{kind: (kind, {}) for kind in ("agreement", "accuracy", "rankings", "subgroups")},
    "system-comparison": ("system-comparison", {}),
}


def prepare(options: argparse.Namespace) -> None:
    """Make the database and import the study."""
    start_django()
    from metrics.models import Metric

    import_study(
        lambda folder: write_study(folder, options.segments, options.metrics, 1, options.systems)
    )
    Metric.objects.update(orientation="higher")


def seconds(name: str, workers: int, options: argparse.Namespace) -> list[float]:
    """Compute reports by some workers; return the seconds that each job takes, but the first."""
    kind, question = CASES[name]
    from analysis.filter.question import Question
    from analysis.models import Result
    from analysis.reports.service import report_or_job
    from corpus.models import Job, Study

    Result.objects.all().delete()
    study = Study.objects.get()
    environment = os.environ | {"OMP_NUM_THREADS": str(options.threads)}
    taken = []
    with ExitStack() as stack:
        for _ in range(workers):
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "manage.py", "work"],
                    cwd=ROOT,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                )
            )
            stack.callback(process.terminate)
        for seed in range(options.turns + 1):
            asked = Question.parse(question | {"seed": str(seed)})
            job: Any = report_or_job(study, kind, asked, None, quick=0)
            begun = time.perf_counter()
            while Job.objects.active().exists():
                time.sleep(0.02)
            taken.append(time.perf_counter() - begun)
            job.refresh_from_db()
            if job.state != "done":
                raise SystemExit(f"the report ended as {job.state}: {job.error}")
    return taken[1:]


def measure(name: str, options: argparse.Namespace) -> None:
    """Compute a case by one and by several workers in turn."""
    start_django()
    one, several = (
        statistics.median(seconds(name, workers, options)) for workers in (1, options.workers)
    )
    print(f"{name}: {one:.1f} s by one worker, {several:.1f} s by {options.workers}", flush=True)
    show_figure(f"shared_reports.{name}", one / several, "times")


def main() -> None:
    """Import once, then measure each case in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    numbers = (
        *(("workers", 2), ("threads", 1), ("turns", 3)),
        *(("segments", 5000), ("systems", 10), ("metrics", 20)),
    )
    for name, value in numbers:
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--only", nargs="*", choices=CASES)
    parser.add_argument("--keep", help="folder of a database to make, or to use again")
    parser.add_argument("--step", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step == "prepare":
        return prepare(options)
    if options.step:
        return measure(options.step, options)
    for data, step in steps_over(options.keep, options.only or CASES):
        run_step(data, "shared_reports", "--step", step)
    return None


if __name__ == "__main__":
    main()
