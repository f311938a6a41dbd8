"""What an import costs others: statements of the publish, time others wait, memory."""

import subprocess
import sys

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.imports import run
from corpus.imports.publish import publish
from corpus.jobs.progress import Progress
from corpus.models import Segment
from tests.fixtures.harmful_files import shared_text_workbook
from tests.fixtures.machine import ROOT
from tests.fixtures.study_files import TABLES, import_path, write_files


def sized(count, *, domain=False):
    """A study of `count` segments, every table growing with it."""
    segments = [["segment", "source", *(["domain"] if domain else [])]]
    segments += [[f"s{n}", f"source {n}", *(["mail"] if domain else [])] for n in range(count)]
    return {
        "segments.csv": segments,
        "outputs.csv": [["segment", "system", "output"]]
        + [[f"s{n}", "BART", f"output {n}"] for n in range(count)],
        "ratings.csv": [["segment", "system", "rater", "aspect", "score"]]
        + [[f"s{n}", "BART", "r1", "style", "5"] for n in range(count)],
        "metric_scores.csv": [["segment", "system", "metric", "score"]]
        + [[f"s{n}", "BART", "bleu", f"0.{n}"] for n in range(count)],
        "style_distributions.csv": [["segment", "system", "classifier", "p_a", "p_b"]]
        + [[f"s{n}", "BART", "cnn", "0.5", "0.5"] for n in range(count)],
    }


@pytest.fixture
def statements(monkeypatch):
    """Import files and give the number of statements of the publish, and of the whole import."""
    inside = []

    def counted(*args):
        with CaptureQueriesContext(connection) as captured:
            result = publish(*args)
        inside.append(len(captured))
        return result

    monkeypatch.setattr(run, "publish", counted)
    # Progress is written twice a second, whatever there is to do.
    monkeypatch.setattr(Progress, "report", lambda *args, **options: None)

    def measure(folder, files, slug):
        with CaptureQueriesContext(connection) as captured:
            job = import_path(write_files(folder, files), slug=slug)
        assert job.state == "done", job.error
        return inside[-1], len(captured)

    return measure


@pytest.mark.django_db
def test_a_small_workbook_that_says_a_long_text_very_often_is_soon_refused(tmp_path):
    data = shared_text_workbook(rows=30_000, characters=900_000)
    assert len(data) < 253 << 10
    (tmp_path / "scores.xlsx").write_bytes(data)
    job = import_path(tmp_path / "scores.xlsx", slug="scores")
    assert job.state == "failed"
    [problem] = job.result["problems"]
    assert (problem["file"], problem["code"]) == ("scores.xlsx", "expansion")


@pytest.mark.dialect
@pytest.mark.django_db
def test_the_publish_takes_as_many_statements_for_several_blocks_and_chunks(statements, tmp_path):
    small, _ = statements(tmp_path / "small", sized(20), "small")
    large, _ = statements(tmp_path / "large", sized(2500), "large")
    assert large == small


@pytest.mark.django_db
def test_gaining_attributes_and_importing_again_take_as_many_statements_for_any_size(
    statements, tmp_path
):
    counts = {}
    for size in (20, 500):
        slug = f"n{size}"
        statements(tmp_path / slug, sized(size), slug)
        gaining = statements(tmp_path / f"{slug}-wider", sized(size, domain=True), slug)
        again = statements(tmp_path / f"{slug}-wider", {}, slug)
        counts[size] = (gaining, again)
    assert counts[20] == counts[500]
    assert Segment.objects.filter(attributes={"domain": "mail"}).count() == 520


@pytest.mark.dialect
@pytest.mark.django_db(transaction=True)
def test_what_is_read_is_staged_in_short_transactions_and_seen_by_nobody(tmp_path, monkeypatch):
    """Between two chunks no transaction is open, and readers still see the study as it was."""
    seen = []

    def report(self, message, done=0, total=0):
        seen.append(
            (message.partition(":")[0], connection.in_atomic_block, Segment.objects.count())
        )

    monkeypatch.setattr(Progress, "report", report)
    job = import_path(write_files(tmp_path / "small", TABLES))
    assert job.state == "done", job.error
    assert {message for message, *_ in seen} >= {
        "reading segments.csv",
        "reading outputs.csv",
        "reading ratings.csv",
        "packing bleu",
    }
    assert {(atomic, segments) for _, atomic, segments in seen} == {(False, 0)}


MEASURE = """
import sys
from pathlib import Path
import django
django.setup()
from django.core.management import call_command
call_command("import_study", sys.argv[1], verbosity=0)
from corpus.models import Output
print(Output.objects.count())
# Of this program alone; ru_maxrss would include what the test run itself had before the fork.
[peak] = [line for line in Path("/proc/self/status").read_text().split("\\n") if "VmHWM" in line]
print(peak.split()[1])
heavy = {"pandas", "scipy", "torch", "sklearn", "matplotlib", "transformers"} & set(sys.modules)
print(sorted(heavy))
"""


@pytest.mark.nightly
def test_a_hundred_thousand_outputs_take_less_than_300_megabytes(tmp_path, migrated_environment):
    folder = tmp_path / "large"
    folder.mkdir()
    sentence = "this is a sentence of the length that people write when they ask for something"
    with (folder / "segments.csv").open("w") as file:
        file.write("segment,source\n")
        file.writelines(f"s{n},{sentence} {n}\n" for n in range(10_000))
    with (folder / "outputs.csv").open("w") as file:
        file.write("segment,system,output\n")
        file.writelines(f"s{n},m{m},{sentence} {n} {m}\n" for n in range(10_000) for m in range(10))
    printed = subprocess.run(
        [sys.executable, "-c", MEASURE, str(folder)],
        cwd=ROOT,
        env=migrated_environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    outputs, kilobytes, heavy = printed[-3:]
    assert int(outputs) == 110_000
    assert int(kilobytes) < 300 * 1024
    assert heavy == "[]"
