"""Metrics in environments of their own: an exported study in, an importable table out."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from corpus.models import Output
from metrics.models import MetricRun
from metrics.runs.packed_scores import load_scores
from tests.fixtures.machine import ROOT
from tests.fixtures.study_files import TABLES, import_path, write_files

SCRIPTS = ROOT / "scripts" / "learned_elsewhere"
sys.path.insert(0, str(SCRIPTS))
from exported_study import StudyError, read_rows, score_table  # noqa: E402

# A package of the name that a script imports, with a metric that can be counted by hand.
COMET = """
class Model:
    def predict(self, data, batch_size, gpus, progress_bar):
        assert (batch_size, gpus) == (16, 0)
        class Prediction:
            scores = [len(each["mt"]) - len(each.get("ref", each["src"])) for each in data]
        return Prediction
def download_model(name):
    return name
def load_from_checkpoint(path):
    assert path == "Unbabel/Tiny-DA"
    return Model()
"""
BLEURT = """
class BleurtScorer:
    def __init__(self, checkpoint):
        assert checkpoint == "models/BLEURT-tiny"
    def score(self, references, candidates):
        return [len(c) - len(r) for r, c in zip(references, candidates, strict=True)]
"""


@pytest.fixture
def exported(db, tmp_path) -> Path:
    """A study of which one output is empty."""
    outputs = [*TABLES["outputs.csv"][:-1], ["s4", "T5", ""]]
    files = {"segments.csv": TABLES["segments.csv"], "outputs.csv": outputs}
    assert import_path(write_files(tmp_path / "small", files)).error == ""
    target = tmp_path / "small.zip"
    call_command("export_study", "small", output=target, verbosity=0)
    return target


def command(script: str, tmp_path: Path, package: tuple[str, str], *arguments: object):
    name, content = package
    (tmp_path / "packages" / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "packages" / name).write_text(content)
    return subprocess.run(
        [sys.executable, str(SCRIPTS / script), *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "packages")},
        check=False,
    )


def imported(study_slug: str, table: Path) -> tuple[MetricRun, dict[tuple[str, str], float]]:
    """Import a table into the study it was made from, and return its scores by place."""
    job = import_path(
        write_files(table.parent / study_slug, {"metric_scores.csv": table.read_text()})
    )
    assert job.error == ""
    run = MetricRun.objects.get(study=job.study)
    outputs = Output.objects.filter(study=job.study).order_by("ordinal")
    values = load_scores(run.pk, outputs=outputs.count(), fields=1)[:, 0]
    places = [(output.segment.key, output.system.name) for output in outputs]
    return run, {
        place: float(value)
        for place, value in zip(places, values, strict=True)
        if not np.isnan(value)
    }


def test_comet_reads_the_export_and_its_table_is_imported(exported, tmp_path):
    table = tmp_path / "out" / "comet.csv"
    table.parent.mkdir()
    done = command(
        "score_comet.py", tmp_path, ("comet.py", COMET), exported, table,
        "--model", "Unbabel/Tiny-DA",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "outputs left out: 2" in done.stdout
    run, scores = imported("small", table)
    assert (run.metric.name, run.compared_to, run.aspect) == ("tiny-da", "reference.1", "content")
    # s4 has no reference.
    assert scores == {
        (f"s{n}", system): len(f"{system} writes {n}") - length
        for n, length in ((1, 15), (2, 14), (3, 14))
        for system in ("BART", "T5")
    }


def test_comet_without_reference_compares_with_the_source(exported, tmp_path):
    table = tmp_path / "out" / "kiwi.csv"
    table.parent.mkdir()
    done = command(
        "score_comet.py", tmp_path, ("comet.py", COMET), exported, table,
        "--model", "Unbabel/Tiny-DA", "--no-reference", "--metric", "kiwi",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    run, scores = imported("small", table)
    assert (run.metric.name, run.compared_to) == ("kiwi", "source")
    assert scores["s1", "T5"] == len("T5 writes 1") - len("gonna be late")
    assert ("s4", "T5") not in scores
    assert len(scores) == 7


def test_bleurt_scores_another_reference(exported, tmp_path):
    table = tmp_path / "out" / "bleurt.csv"
    table.parent.mkdir()
    packages = tmp_path / "packages" / "bleurt"
    packages.mkdir(parents=True)
    (packages / "__init__.py").touch()
    done = command(
        "score_bleurt.py", tmp_path, ("bleurt/score.py", BLEURT), exported, table,
        "--model", "models/BLEURT-tiny", "--reference", "2",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    run, scores = imported("small", table)
    assert (run.metric.name, run.compared_to) == ("bleurt-tiny", "reference.2")
    assert scores == {
        ("s1", system): len(f"{system} writes 1") - len("I shall be late.")
        for system in ("BART", "T5")
    }


def test_a_folder_of_tables_is_read_as_well(tmp_path):
    files = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")}
    rows = read_rows(write_files(tmp_path / "plain", files), reference=2)
    assert len(rows) == 8
    assert rows[0] == ("s1", "BART", "1", "BART writes 1", "gonna be late", "I shall be late.")


def test_columns_are_those_that_the_study_names(tmp_path):
    columns = {"segment": "segment", "source": "source_", "reference": "reference_"}
    files = {
        "study.json": {"mappings": {"segments.csv": [{"columns": columns}]}},
        "segments.csv": [
            ["segment", "source", "source_", "reference_"],
            ["s1", "web", "hi", "hey"],
        ],
        "outputs.csv": [["segment", "system", "output", "variant"], ["s1", "T5", "hello", "2"]],
    }
    rows = read_rows(write_files(tmp_path / "own", files))
    assert rows == [("s1", "T5", "2", "hello", "hi", "hey")]


def test_numbers_are_written_so_that_they_read_back(tmp_path):
    files = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")}
    rows = read_rows(write_files(tmp_path / "plain", files))
    values = [0.1 + n / 3 for n in range(len(rows))]
    table = tmp_path / "table.csv"
    left_out = score_table(
        rows, lambda part: values[: len(part)], table, metric="third", compared_to="reference.1"
    )
    with table.open(newline="") as file:
        written = [float(row["score"]) for row in csv.DictReader(file)]
    assert (written, left_out) == (values[:6], 2)


@pytest.mark.parametrize("found", [[1.0], [float("nan")] * 6])
def test_a_metric_that_fails_leaves_no_table(tmp_path, found):
    files = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")}
    rows = read_rows(write_files(tmp_path / "plain", files))
    table = tmp_path / "table.csv"
    with pytest.raises(StudyError, match="gave no number"):
        score_table(rows, lambda part: found, table, metric="poor", compared_to="reference.1")
    assert not table.exists()


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "segments.csv cannot be read"),
        (
            {"segments.csv": "segment_id,text\ns1,a\n"},
            "no column 'source'; it has segment_id, text",
        ),
        (
            {
                "segments.csv": "segment,source\ns1,a\n",
                "outputs.csv": "segment,system,output\ns2,T5,b\n",
            },
            "segment 's2' is not in segments.csv",
        ),
        (
            {
                "segments.csv": "segment,source\ns1,a\n",
                "outputs.csv": "segment,system,output\ns1,T5,b\n",
            },
            "no segment has a reference 1",
        ),
    ],
)
def test_a_study_that_cannot_be_scored_says_why(tmp_path, files, words):
    with pytest.raises(StudyError, match=words):
        read_rows(write_files(tmp_path / "poor", files))
