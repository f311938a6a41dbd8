"""Metric runs: a whole study by all default metrics, the same again, and memory at any size.

    python benchmarks/metric_runs.py --study ../shared/studies/lai2022
    python benchmarks/metric_runs.py --study ../shared/studies/mir2019 --every
    python benchmarks/metric_runs.py --outputs 1000000

The first scores a study in a database of its own, then asks for the same again. The second scores
it by every metric that is available here by itself, on plain texts and on texts whose style words
are masked or removed by the study's lexicon, where it has one; style metrics use a classifier
trained on the file of `--classifier-texts`. The third
simulates studies of a tenth of that size and of that size, scores them by cheap metrics, and
prints by how much the process grew while it did.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
MEGABYTE = 1 << 20
CHEAP = ("exact-match", "length-ratio")


def prepare() -> None:
    """Start Django on an empty database in a folder of its own."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    os.environ["HF_HUB_OFFLINE"] = "1"
    import django

    import config  # noqa: F401  Brings the SQLite library before Django loads.

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def resident() -> float:
    """Memory that the process holds now, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / MEGABYTE


def a_study(path: Path) -> None:
    """Score a study by everything that runs by default, twice."""
    from django.core.management import call_command

    from corpus.jobs.foreground import run_in_foreground
    from corpus.models import Output, Study
    from metrics.runs.asking import KIND, ask_for_runs, default_requests, prepare_runs

    call_command("import_study", path, accept=True, verbosity=0)
    study = Study.objects.get()
    print(f"{path.name}: {Output.objects.count():,} texts, sources and references among them")
    print(f"{'':34} {'seconds':>8} {'cpu':>8}")
    started, cpu = time.perf_counter(), time.process_time()
    asked = prepare_runs(study, default_requests())
    job = run_in_foreground(KIND, asked.job_key, study=study, parameters=asked.parameters)
    if job.state != "done":
        raise SystemExit(job.error)
    row(f"{len(asked.started)} default metrics", started, cpu)
    started, cpu = time.perf_counter(), time.process_time()
    again, jobs = ask_for_runs(study, default_requests(), None)
    if jobs or len(again.found) != len(asked.started):
        raise SystemExit("the second request was computed")
    row("the same again", started, cpu)
    for metric, reason in asked.refused.items():
        print(f"not scored: {metric}: {reason}")


def every_metric(path: Path, labelled: Path | None) -> None:
    """Score a study by each metric alone, under each text setting that it takes."""
    from django.core.management import call_command

    from corpus.models import Study
    from metrics.runs.setting_kinds import KINDS
    from metrics.scorers.registry import scorers

    call_command("import_study", path, accept=True, verbosity=0)
    study = Study.objects.get()
    if labelled:
        call_command("train_style", labelled, study=study.slug, name="classifier", texts=20_000)
    kinds = KINDS if study.lexicons.exists() else KINDS[:1]
    print(f"{'':48} {'seconds':>8} {'cpu':>8} {'undefined':>10}")
    for key, scorer in scorers().items():
        for kind in kinds if scorer.spec.takes_masked else KINDS[:1]:
            one_metric(study, key, kind)


def one_metric(study: object, key: str, kind: str) -> None:
    """Score by one metric and print its line."""
    from corpus.jobs.foreground import run_in_foreground
    from metrics.models import Undefined
    from metrics.runs.asking import KIND, prepare_runs
    from metrics.runs.requests import RunRequest

    started, cpu = time.perf_counter(), time.process_time()
    asked = prepare_runs(study, [RunRequest(key, text={"kind": kind})])
    if asked.refused:
        print(f"{key:32} not available: {asked.refused[key]}")
        return
    job = run_in_foreground(KIND, asked.job_key, study=study, parameters=asked.parameters)
    if job.state != "done":
        print(f"{key:32} {kind:15} failed: {job.error}")
        return
    lost = Undefined.objects.filter(run__in=asked.started).values("output").distinct().count()
    row(f"{key:32} {kind:15}", started, cpu, f"{lost:10,}")


def row(name: str, started: float, cpu: float, more: str = "") -> None:
    """Print one line of the table."""
    seconds, spent = time.perf_counter() - started, time.process_time() - cpu
    print(f"{name:34} {seconds:8.2f} {spent:8.2f}{more}", flush=True)


def memory(outputs: int) -> None:
    """Score simulated studies of two sizes and print how the process grew."""
    from corpus.models import Study

    print(f"{'outputs':>10} {'seconds':>8} {'texts/s':>10} {'grew by, MB':>12}")
    for count in (outputs // 10, outputs):
        study = Study.objects.create(slug=f"simulated-{count}")
        simulate(study, count)
        seconds, grown = scored(study)
        rate = count * len(CHEAP) / seconds
        print(f"{count:10,} {seconds:8.1f} {rate:10,.0f} {grown:12.0f}")


def simulate(study: object, count: int) -> None:
    """Write ten systems' outputs, unique texts, straight into the tables."""
    from django.db import connection

    from corpus.models import System

    names = [("(source)", "source"), *((f"m{n}", "system") for n in range(9))]
    systems = [
        System.objects.create(study=study, name=name, kind=kind, ordinal=place)
        for place, (name, kind) in enumerate(names)
    ]
    with connection.cursor() as cursor:
        for first in range(0, count // 10, 5000):
            segments = range(first, min(first + 5000, count // 10))
            cursor.executemany(
                "INSERT INTO corpus_segment (study_id, ordinal, key, source_style, target_style,"
                " attributes) VALUES (%s, %s, %s, '', '', '{}')",
                [(study.pk, n, f"s{n}") for n in segments],
            )
            cursor.execute(
                "SELECT id, ordinal FROM corpus_segment WHERE study_id = %s AND ordinal >= %s",
                [study.pk, first],
            )
            cursor.executemany(
                "INSERT INTO corpus_output (study_id, ordinal, segment_id, system_id, variant,"
                " text, sha256) VALUES (%s, %s, %s, %s, 1, %s, '')",
                [
                    (study.pk, 10 * n + place, pk, system.pk, f"{system.name} says {n} of {pk}")
                    for pk, n in cursor.fetchall()
                    for place, system in enumerate(systems)
                ],
            )


def scored(study: object) -> tuple[float, float]:
    """Score by the cheap metrics; return seconds, and by how much the process grew at most."""
    from corpus.jobs.foreground import run_in_foreground
    from metrics.runs.asking import KIND, prepare_runs
    from metrics.runs.requests import RunRequest

    asked = prepare_runs(study, [RunRequest(metric, against="source") for metric in CHEAP])
    before = most = resident()

    def tell(message: str, done: int, total: int) -> None:
        nonlocal most
        most = max(most, resident())

    started = time.perf_counter()
    job = run_in_foreground(
        KIND, asked.job_key, study=study, parameters=asked.parameters, tell=tell
    )
    if job.state != "done":
        raise SystemExit(job.error)
    return time.perf_counter() - started, most - before


def main() -> None:
    """Read the options and run one of the two."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--study", type=Path)
    parser.add_argument("--every", action="store_true", help="each metric by itself")
    parser.add_argument("--classifier-texts", type=Path, help="labelled texts, with --every")
    parser.add_argument("--outputs", type=int, default=0)
    options = parser.parse_args()
    if "TOUCHSTONE_DATA" not in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"TOUCHSTONE_DATA": folder}
            done = subprocess.run([sys.executable, *sys.argv], env=environment, check=False)
        raise SystemExit(done.returncode)
    prepare()
    if options.study and options.every:
        every_metric(options.study.resolve(), options.classifier_texts)
    elif options.study:
        a_study(options.study.resolve())
    if options.outputs:
        memory(options.outputs)


if __name__ == "__main__":
    main()
