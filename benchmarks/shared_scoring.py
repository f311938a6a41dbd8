"""How much sooner two workers score a study than one does.

    python -m benchmarks.shared_scoring [--workers 2] [--threads 1] [--turns 3] [--only neural]

Simulated studies of outputs that all differ are scored against their sources: by lexical metrics,
and by cosine similarity of MiniLM's sentence embeddings. Numbers of workers take turns, each with
new processes and nothing stored; medians are shown. Counted is what comes after the first quarter
of the blocks: before it, workers load libraries and weights. More workers help as long as there are
cores for all their threads; other programs that run meanwhile make the figure smaller.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from typing import Any

from benchmarks.figures import show_figure
from benchmarks.fresh_site import ROOT, run_step, start_django
from benchmarks.plain_study import plain_study

CASES = {"lexical": (50_000, ("bleu", "chrf", "rouge-l")), "neural": (8_000, ("cps",))}
"""Outputs of systems, one source to ten of them, and keys of metrics."""
UNCOUNTED = 1 / 4


def seconds(study: Any, metrics: tuple[str, ...], workers: int, threads: int) -> float:
    """Score a study by some workers; return the seconds that the whole takes at their pace."""
    from corpus.models import Job, Output
    from metrics.models import BLOCK_SIZE, MetricRun, ScoreBlock
    from metrics.resources.stored_embeddings import delete_embeddings
    from metrics.runs.asking import ask_for_runs
    from metrics.runs.requests import RunRequest

    MetricRun.objects.all().delete()
    delete_embeddings(study.pk)
    _, jobs = ask_for_runs(study, [RunRequest(key, against="source") for key in metrics], None)
    whole = -(-Output.objects.filter(study=study).count() // BLOCK_SIZE) * len(metrics)
    environment = os.environ | {"OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "manage.py", "work"]
    with ExitStack() as stack:
        for _ in range(workers):
            process = stack.enter_context(
                subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
            )
            stack.callback(process.terminate)
        while (before := ScoreBlock.objects.count()) < whole * UNCOUNTED:
            time.sleep(0.02)
        begun = time.perf_counter()
        while Job.objects.active().exists():
            time.sleep(0.02)
        taken = time.perf_counter() - begun
    job = Job.objects.get(pk=jobs[0].pk)
    if job.state != "done" or ScoreBlock.objects.count() != whole:
        raise SystemExit(f"scoring ended as {job.state}: {job.error}")
    return taken / (1 - before / whole)


def measure(options: argparse.Namespace) -> None:
    """Score each study by one and by several workers in turn."""
    start_django()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    for name in options.only or CASES:
        outputs, metrics = CASES[name]
        study = plain_study(name, outputs)
        taken: dict[int, list[float]] = {1: [], options.workers: []}
        for _ in range(options.turns):
            for workers, each in taken.items():
                each.append(seconds(study, metrics, workers, options.threads))
        one, several = map(statistics.median, taken.values())
        print(f"{name}: {one:.1f} s by one worker, {several:.1f} s by {options.workers}")
        show_figure(f"shared_scoring.{name}", one / several, "times")


def main() -> None:
    """Measure in a process that has a database of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    for name, value in (("workers", 2), ("threads", 1), ("turns", 3)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--only", nargs="*", choices=CASES)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        return measure(options)
    with tempfile.TemporaryDirectory() as data:
        run_step(data, "shared_scoring", "--here")
    return None


if __name__ == "__main__":
    main()
