"""Importing a study of 100,000 outputs, beside two usual ways of reading a table with Django.

    python -m benchmarks.importing [OUTPUTS]

Each way runs in a process of its own, into a fresh SQLite file. Ours is the whole import job:
recognising the files, reading, staging, checking, publishing. The others read the same files
into the same tables without staging, without checks between rows and without places for errors.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SYSTEMS = 10
FORM_ROWS = 5_000
HEAVY = ("pandas", "scipy", "torch", "sklearn", "transformers", "matplotlib")
VOCABULARY = (
    "the of and to a in is it you that he was for on are with as his they be at one have this "
    "from or had by hot but some what there we can out other were all your when up use word how "
    "said an each she which do their time if will way about many then them would write like so "
    "these her long make thing see him two has look more day could go come did my sound no most "
    "number who over know water than call first people may down side been now find any new work"
)


def write_study(folder: Path, outputs: int) -> None:
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


@contextmanager
def counted_statements() -> Iterator[list[str]]:
    """Collect the statements that the connection executes."""
    from django.db import connection

    statements: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield statements


def import_as_we_do(folder: Path) -> dict[str, Any]:
    """Run an import job as the command does, and look at its publishing transaction."""
    from corpus.imports import run
    from corpus.imports.options import ImportOptions
    from corpus.imports.service import create_study, import_job, import_key
    from corpus.jobs.foreground import run_in_foreground

    publish = run.publish
    facts: dict[str, Any] = {}

    def watched(*arguments: Any) -> dict[str, Any]:
        start = time.perf_counter()
        with counted_statements() as statements:
            result = publish(*arguments)
        facts.update(publish_seconds=time.perf_counter() - start, statements=len(statements))
        return result

    run.publish = watched
    study = create_study("large", None)
    parameters = import_job(folder, ImportOptions(accept=True))
    start = time.perf_counter()
    job = run_in_foreground("import", import_key(study), study=study, parameters=parameters)
    facts["seconds"] = time.perf_counter() - start
    assert job.state == "done", job.error
    return facts


def create_in_bulk(folder: Path) -> dict[str, Any]:
    """Read dictionaries and create instances in bulk, in one transaction."""
    from hashlib import sha256

    from django.db import transaction

    from corpus.models import Output, Segment, Study, System

    start = time.perf_counter()
    with transaction.atomic():
        study = Study.objects.create(slug="large")
        rows = list(_rows(folder / "segments.csv"))
        Segment.objects.bulk_create(
            [
                Segment(
                    study=study,
                    ordinal=number,
                    key=row["segment"],
                    source_style=row["source_style"],
                    target_style=row["target_style"],
                )
                for number, row in enumerate(rows)
            ],
            batch_size=5000,
        )
        segments = dict(Segment.objects.values_list("key", "pk"))
        names = ["(source)", *(f"system-{m}" for m in range(SYSTEMS))]
        System.objects.bulk_create(
            System(study=study, ordinal=number, name=name) for number, name in enumerate(names)
        )
        systems = dict(System.objects.values_list("name", "pk"))
        texts = [(row["segment"], "(source)", row["source"]) for row in rows]
        texts += [
            (row["segment"], row["system"], row["output"]) for row in _rows(folder / "outputs.csv")
        ]
        Output.objects.bulk_create(
            [
                Output(
                    study=study,
                    ordinal=number,
                    segment_id=segments[segment],
                    system_id=systems[system],
                    text=text,
                    sha256=sha256(text.encode()).hexdigest(),
                )
                for number, (segment, system, text) in enumerate(texts)
            ],
            batch_size=5000,
        )
    return {"seconds": time.perf_counter() - start}


def check_by_form(folder: Path) -> dict[str, Any]:
    """Check each of the first rows by a form and save it, in one transaction."""
    from hashlib import sha256
    from itertools import islice

    from django import forms
    from django.db import transaction

    from corpus.models import Output, Segment, Study, System

    class OutputForm(forms.Form):
        """An output as a form."""

        segment = forms.CharField(max_length=200)
        system = forms.CharField(max_length=200)
        output = forms.CharField(required=False, strip=False)

        def clean_segment(self) -> int:
            """Find the segment."""
            if self.cleaned_data["segment"] not in segments:
                raise forms.ValidationError("no such segment")
            return segments[self.cleaned_data["segment"]]

    study = Study.objects.create(slug="large")
    Segment.objects.bulk_create(
        Segment(study=study, ordinal=number, key=row["segment"])
        for number, row in enumerate(_rows(folder / "segments.csv"))
    )
    System.objects.bulk_create(
        System(study=study, ordinal=number, name=f"system-{number}") for number in range(SYSTEMS)
    )
    segments = dict(Segment.objects.values_list("key", "pk"))
    systems = dict(System.objects.values_list("name", "pk"))
    start = time.perf_counter()
    with transaction.atomic():
        for number, row in enumerate(islice(_rows(folder / "outputs.csv"), FORM_ROWS)):
            form = OutputForm(row)
            assert form.is_valid(), form.errors
            text = form.cleaned_data["output"]
            Output.objects.create(
                study=study,
                ordinal=number,
                segment_id=form.cleaned_data["segment"],
                system_id=systems[form.cleaned_data["system"]],
                text=text,
                sha256=sha256(text.encode()).hexdigest(),
            )
    return {"seconds": time.perf_counter() - start, "rows": FORM_ROWS}


def _rows(path: Path) -> Iterator[dict[str, str]]:
    import csv

    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


WAYS = {
    "import job": import_as_we_do,
    "csv.DictReader and bulk_create": create_in_bulk,
    "a form and a save per row": check_by_form,
}


def measure(way: str, folder: Path) -> None:
    """Run one way in this process and print what it cost."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    facts = WAYS[way](folder)
    [peak] = [
        line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line
    ]
    facts["megabytes"] = int(peak.split()[1]) / 1024
    facts["heavy"] = [name for name in HEAVY if name in sys.modules]
    print(json.dumps(facts))


def in_process(way: str, folder: Path) -> dict[str, Any]:
    """Measure one way with a data folder and a database of its own."""
    with tempfile.TemporaryDirectory() as data:
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": f"sqlite:///{data}/fresh.sqlite3",
            "TOUCHSTONE_DATA": data,
            "LOG_LEVEL": "ERROR",
        }
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.importing", way, str(folder)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def main(outputs: int) -> None:
    """Print a table of the three ways, and what the import's publish took."""
    print(f"{outputs:,} outputs of {SYSTEMS} systems, CSV, SQLite, {os.cpu_count()} cores")
    print(f"{'way':34} {'seconds':>9} {'rows/s':>9} {'peak':>8} {'ours is':>9}")
    with tempfile.TemporaryDirectory() as folder:
        write_study(Path(folder), outputs)
        ours: dict[str, Any] = {}
        for way in WAYS:
            facts = in_process(way, Path(folder))
            rate = facts.get("rows", outputs) / facts["seconds"]
            ours = ours or facts | {"rate": rate}
            seconds, about = outputs / rate, "~" if "rows" in facts else " "
            print(
                f"{way:34} {about}{seconds:7.1f}s {rate:9,.0f} {facts['megabytes']:6.0f}MB "
                f"{ours['rate'] / rate:8.2f}×"
            )
    print(f"~ extrapolated from {FORM_ROWS:,} rows")
    print(f"publishing: {ours['statements']} statements in {ours['publish_seconds']:.2f} s")
    print(f"imported of {', '.join(HEAVY)}: {', '.join(ours['heavy']) or 'none'}")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measure(sys.argv[1], Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
