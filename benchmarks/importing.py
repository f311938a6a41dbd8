"""How long imports take, how much memory they hold, and how long others wait for them.

    python -m benchmarks.importing [--outputs 100000] [--segments 20000] [--only texts large]

First texts: a whole import job beside `csv.DictReader` and `bulk_create`, which check nothing and
read the same files into the same tables, in turns. Then a large study: 15 systems, three ratings
and 20 metrics for each output, as CSV with a column for each metric and as Parquet. Every import
runs in a process of its own into a fresh SQLite file; "reader" is the confined process that reads
the files for it, and "blocked" for how long somebody else, who asks every 20 ms, had to wait at
most until they could write.
"""

import argparse
import fcntl
import random
import resource
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.site import SLUG, apart, manage, peak_memory, timed, write_study

SYSTEMS = 10
LARGE_SYSTEMS, METRICS = 15, 20
VOCABULARY = (
    "the of and to a in is it you that he was for on are with as his they be at one have this "
    "from or had by hot but some what there we can out other were all your when up use word how "
    "said an each she which do their time if will way about many then them would write like so"
)


def write_texts(folder: Path, outputs: int) -> None:
    """Write segments and outputs with sentences of 5 to 24 words."""
    generator, words = random.Random(7), VOCABULARY.split()

    def sentence() -> str:
        chosen = generator.choices(words, k=generator.randint(5, 24))
        return f"{' '.join(chosen).capitalize()}, {generator.choice(words)}."

    segments = outputs // SYSTEMS
    with (folder / "segments.csv").open("w", encoding="utf-8") as file:
        file.write("segment,source,source_style,target_style\n")
        file.writelines(f's{n:05},"{sentence()}",informal,formal\n' for n in range(segments))
    with (folder / "outputs.csv").open("w", encoding="utf-8") as file:
        file.write("segment,system,output\n")
        file.writelines(
            f's{n:05},system-{m},"{sentence()}"\n' for n in range(segments) for m in range(SYSTEMS)
        )


def import_study(path: str) -> dict[str, float]:
    """Import a study as its job does; return what that took of this process and the reader."""
    from corpus.imports.options import ImportOptions
    from corpus.imports.service import create_study, import_job, import_key
    from corpus.jobs.foreground import run_in_foreground

    study = create_study(SLUG, None)
    parameters = import_job(Path(path), ImportOptions(accept=True))
    processor = time.process_time()
    seconds, job = timed(
        lambda: run_in_foreground("import", import_key(study), study=study, parameters=parameters)
    )
    if job.state != "done":
        raise SystemExit(f"the import ended as {job.state}: {job.error or job.result}")
    reader = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": seconds,
        "processor": time.process_time() - processor,
        "memory": peak_memory(),
        "reader": reader.ru_utime + reader.ru_stime,
        "reader_memory": peak_memory(resource.RUSAGE_CHILDREN),
    }


def create_in_bulk(path: str) -> dict[str, float]:
    """Read dictionaries and create instances in bulk, in one transaction."""
    from hashlib import sha256

    from django.db import transaction

    from corpus.models import Output, Segment, Study, System

    def create() -> None:
        study = Study.objects.create(slug=SLUG)
        rows = list(_rows(Path(path, "segments.csv")))
        made = [
            Segment(
                study=study,
                ordinal=number,
                key=row["segment"],
                source_style=row["source_style"],
                target_style=row["target_style"],
            )
            for number, row in enumerate(rows)
        ]
        Segment.objects.bulk_create(made, batch_size=5000)
        System.objects.create(study=study, ordinal=0, name="(source)", kind="source")
        System.objects.bulk_create(
            System(study=study, ordinal=1 + number, name=f"system-{number}")
            for number in range(SYSTEMS)
        )
        segments = dict(Segment.objects.values_list("key", "pk"))
        systems = dict(System.objects.values_list("name", "pk"))
        texts = [(row["segment"], "(source)", row["source"]) for row in rows]
        texts += [
            (row["segment"], row["system"], row["output"])
            for row in _rows(Path(path, "outputs.csv"))
        ]
        outputs = [
            Output(
                study=study,
                ordinal=number,
                segment_id=segments[segment],
                system_id=systems[system],
                text=text,
                sha256=sha256(text.encode()).hexdigest(),
            )
            for number, (segment, system, text) in enumerate(texts)
        ]
        Output.objects.bulk_create(outputs, batch_size=5000)

    with transaction.atomic():
        seconds, _ = timed(create)
    return {"seconds": seconds, "memory": peak_memory()}


def _rows(path: Path) -> Iterator[dict[str, str]]:
    import csv

    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def imported(path: Path, way: Any = import_study) -> dict[str, float]:
    """Import into a site of its own, beside somebody who writes."""
    with tempfile.TemporaryDirectory(prefix="touchstone-import-") as name:
        folder, ended, waits = Path(name), threading.Event(), [0.0]
        manage(folder, "migrate", "-v0")
        beside = threading.Thread(target=_write_beside, args=(folder, ended, waits))
        beside.start()
        try:
            found: dict[str, float] = apart(folder, way, str(path))
        finally:
            ended.set()
            beside.join()
    return found | {"blocked": max(waits)}


def _write_beside(folder: Path, ended: threading.Event, waits: list[float]) -> None:
    """Write every 20 ms as a rater would, and note how long each write waited."""
    database = folder / "touchstone.sqlite3"
    with (
        closing(sqlite3.connect(database, timeout=600, isolation_level=None)) as connection,
        Path(f"{database}-turn").open("ab") as turn,
    ):
        while not ended.wait(0.02):
            begun = time.monotonic()
            fcntl.flock(turn, fcntl.LOCK_EX)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("COMMIT")
            fcntl.flock(turn, fcntl.LOCK_UN)
            waits.append(time.monotonic() - begun)


def measure_texts(folder: Path, outputs: int, turns: int) -> None:
    """Import texts in two ways, in turns."""
    write_texts(folder, outputs)
    found = [(imported(folder), imported(folder, create_in_bulk)) for _ in range(turns)]
    print(f"{outputs:,} outputs of {SYSTEMS} systems, CSV, {turns} turns")
    for side, name in enumerate(("import job", "csv.DictReader and bulk_create")):
        runs = [turn[side] for turn in found]
        seconds, memory = (
            statistics.median(each[what] for each in runs) for what in ("seconds", "memory")
        )
        print(f"{name:32}{seconds:8.1f} s{outputs / seconds:12,.0f} outputs/s{memory:6.0f} MB")


def measure_large(folder: Path, segments: int) -> None:
    """Import a large study, as CSV and as Parquet."""
    import pandas as pd

    forms = [folder / "CSV", folder / "Parquet"]
    for form in forms:
        form.mkdir()
    write_study(forms[0], segments, LARGE_SYSTEMS, METRICS)
    for file in forms[0].iterdir():
        pd.read_csv(file).to_parquet(forms[1] / f"{file.stem}.parquet", index=False)
    outputs = segments * LARGE_SYSTEMS
    print(f"\n{outputs:,} outputs, {3 * outputs:,} ratings, {METRICS * outputs:,} scores")
    print(f"{'':10}{'seconds':>9}{'processor':>11}{'MB':>6}{'reader':>9}{'MB':>6}{'blocked':>9}")
    for form in forms:
        each = imported(form)
        print(
            f"{form.name:10}{each['seconds']:9.1f}{each['processor']:11.1f}{each['memory']:6.0f}"
            f"{each['reader']:9.1f}{each['reader_memory']:6.0f}{each['blocked']:9.2f}",
            flush=True,
        )


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--outputs", type=int, default=100_000, help="of which texts are imported")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--segments", type=int, default=20_000, help="of the large study")
    parser.add_argument("--only", nargs="*", default=["texts", "large"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as texts, tempfile.TemporaryDirectory() as large:
        if "texts" in options.only:
            measure_texts(Path(texts), options.outputs, options.turns)
        if "large" in options.only:
            measure_large(Path(large), options.segments)


if __name__ == "__main__":
    main()
