"""How long the import of a very large study takes, its memory, and how long others wait for it.

    python -m benchmarks.large_import [--segments 20000] [--forms wide parquet long archive]

A study of 15 systems, three ratings and 20 metrics for each output comes as CSV files with a column
for each metric ("wide"), the same as Parquet, as CSV with a row for each score ("long"), and as the
archive that an export of the study makes. Each import runs in a process of its own into a fresh
SQLite file. The processor seconds and peaks are those of the importing process and of the confined
one that reads the files. "blocked" is for how long another process, which asks every 20 ms, had to
wait at most until it could write; "waits" are all of its waits above a second, together.
"""

import argparse
import fcntl
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks.figures import show_figure
from benchmarks.fresh_site import ROOT, SLUG, start_django
from benchmarks.report_pages import write_study

SYSTEMS, METRICS = 15, 20
FORMS = ("wide", "parquet", "long", "archive")


def write_forms(folder: Path, segments: int, forms: list[str]) -> None:
    """Write the study in each form, into a folder of that name."""
    import pandas as pd

    long = folder / "long"
    long.mkdir(exist_ok=True)
    write_study(long, segments, METRICS, 1, SYSTEMS)
    if not {"wide", "parquet"} & set(forms):
        return
    for form in ("wide", "parquet"):
        (folder / form).mkdir(exist_ok=True)
    scores = pd.read_csv(long / "metric_scores.csv")
    scores = scores.pivot_table(index=["segment", "system"], columns="metric", values="score")
    scores.columns = [f"score_{name}" for name in scores.columns]
    scores.reset_index().to_csv(folder / "wide" / "metric_scores.csv", index=False)
    for name in ("segments", "outputs", "ratings"):
        os.link(long / f"{name}.csv", folder / "wide" / f"{name}.csv")
    for file in (folder / "wide").iterdir():
        pd.read_csv(file).to_parquet(folder / "parquet" / f"{file.stem}.parquet", index=False)


def watch_writes(database: str) -> None:
    """Write every 20 ms as a rater would, until standard input ends; print how long it took."""
    stop = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
    connection = sqlite3.connect(database, timeout=600, isolation_level=None)
    waits = []
    with Path(f"{database}-turn").open("ab") as turn:
        while not stop.wait(0.02):
            begun = time.monotonic()
            fcntl.flock(turn, fcntl.LOCK_EX)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("COMMIT")
            fcntl.flock(turn, fcntl.LOCK_UN)
            waits.append(time.monotonic() - begun)
    print(json.dumps({"blocked": max(waits), "waits": sum(w for w in waits if w > 1)}))


def import_one(form: str, path: str, keep: str) -> None:
    """Import in this process and print what it cost; with `keep`, export the study there."""
    start_django()
    from django.conf import settings
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    database = str(settings.DATABASES["default"]["NAME"])
    watcher = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.large_import", "--watch", database],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    reader_before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun, processor = time.perf_counter(), time.process_time()
    tables = _imported(Path(path))
    seconds, processor = time.perf_counter() - begun, time.process_time() - processor
    reader = resource.getrusage(resource.RUSAGE_CHILDREN)
    facts: dict[str, Any] = {"form": form, "seconds": seconds, "cpu": processor}
    facts["reader_cpu"] = sum(reader[:2]) - sum(reader_before[:2])
    [peak] = [
        line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line
    ]
    facts |= {"megabytes": int(peak.split()[1]) / 1024, "reader": reader.ru_maxrss / 1024}
    facts |= {"database": Path(database).stat().st_size / 1e6, "tables": tables}
    facts |= json.loads(watcher.communicate()[0])
    if keep:
        call_command("export_study", SLUG, keep, verbosity=0)
    print(json.dumps(facts))


def _imported(path: Path) -> dict[str, Any]:
    from corpus.imports.options import ImportOptions
    from corpus.imports.service import create_study, import_job, import_key
    from corpus.jobs.foreground import run_in_foreground

    study = create_study(SLUG, None)
    parameters = import_job(path, ImportOptions(accept=True))
    last = [""]
    started = time.perf_counter()

    def tell(message: str, done: int, total: int) -> None:
        if (what := message.partition(":")[0]) != last[0]:
            last[0] = what
            print(f"  {time.perf_counter() - started:7.1f} s {what}", file=sys.stderr)

    job = run_in_foreground(
        "import", import_key(study), study=study, parameters=parameters, tell=tell
    )
    assert job.state == "done", job.error
    tables: dict[str, Any] = job.result["tables"]
    return tables


def measure(form: str, path: Path, keep: Path | None = None) -> dict[str, Any]:
    """Import a form in a process with a data folder and a database of its own."""
    with tempfile.TemporaryDirectory() as data:
        environment = os.environ | {
            "DATABASE_URL": f"sqlite:///{data}/fresh.sqlite3",
            "TOUCHSTONE_DATA": data,
            "LOG_LEVEL": "ERROR",
        }
        command = [sys.executable, "-m", "benchmarks.large_import", "--import", form, str(path)]
        done = subprocess.run(
            [*command, str(keep or "")],
            env=environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    facts: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return facts


def main() -> None:
    """Print a line for each form."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--forms", nargs="*", default=["wide", "parquet"], choices=FORMS)
    parser.add_argument("--keep", help="folder of files to make, or to use again")
    parser.add_argument("--watch", help=argparse.SUPPRESS)
    parser.add_argument("--import", nargs=3, dest="one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        watch_writes(options.watch)
        return
    if options.one:
        import_one(*options.one)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary)
        folder.mkdir(exist_ok=True)
        if not (folder / "long").exists():
            write_forms(folder, options.segments, options.forms)
        archive = folder / "archive.zip"
        print(
            f"{'form':8} {'seconds':>8} {'cpu':>7} {'reader':>7} {'peak':>7} {'reader':>7} "
            f"{'blocked':>8} {'waits':>7} {'database':>9}"
        )
        for form in options.forms:
            if form == "archive" and not archive.exists():
                measure("wide", folder / "wide", archive)
            path = archive if form == "archive" else folder / form
            found = measure(form, path)
            print(
                f"{form:8} {found['seconds']:7.1f}s {found['cpu']:6.1f}s"
                f" {found['reader_cpu']:6.1f}s {found['megabytes']:5.0f}MB"
                f" {found['reader']:5.0f}MB {found['blocked']:7.2f}s"
                f" {found['waits']:6.1f}s {found['database']:7.0f}MB",
                flush=True,
            )
            show_figure(f"large_import.{form}", found["seconds"], "s")
            held = max(found["megabytes"], found["reader"])
            show_figure(f"large_import.{form}.memory", held, "MB")


if __name__ == "__main__":
    main()
