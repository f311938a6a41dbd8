"""Metrics in environments of their own: an exported study in, an importable table out."""

import re
import subprocess
import sys

import numpy as np
import pytest
from django.core.management import call_command

from corpus.models import Output
from metrics.models import MetricRun
from metrics.runs.packed_scores import load_scores
from tests.fixtures.machine import ROOT
from tests.fixtures.study_files import TABLES, import_path, write_files

PAGE = (ROOT / "docs" / "metrics" / "elsewhere.md").read_text(encoding="utf-8")
OF_COMET, OF_BLEURT = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
# Packages of the names that the script imports, with a metric that can be counted by hand.
PACKAGES = {
    "comet.py": """
class Model:
    def predict(self, data, batch_size, gpus):
        class Prediction:
            scores = [len(each["mt"]) - len(each.get("ref", each["src"])) for each in data]
        return Prediction
def download_model(name):
    return f"downloaded {name}"
def load_from_checkpoint(path):
    assert path == "downloaded tiny"
    return Model()
""",
    "bleurt/__init__.py": "",
    "bleurt/score.py": """
class BleurtScorer:
    def __init__(self, checkpoint):
        assert checkpoint == "tiny"
    def score(self, references, candidates):
        return [len(c) - len(r) for r, c in zip(references, candidates, strict=True)]
""",
}


def replaced(code, *changes):
    for before, after in changes:
        assert before in code
        code = code.replace(before, after)
    return code


SOURCE_ALONE = replaced(
    OF_COMET, ('"reference_1"  #', '"source"  #'), (', "ref": segment[AGAINST]', "")
)
FIRST, *THEN = OF_BLEURT.strip().splitlines()
BLEURT = replaced(
    re.sub(r"scorer = .*\nscores = .*", "\n".join(THEN).strip(), OF_COMET),
    ("from comet import download_model, load_from_checkpoint", FIRST),
    ('"comet", "reference_1"', '"bleurt", "reference_2"'),
)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "metric", "compared_to", "lengths"),
    [
        # s4 has no reference.
        (OF_COMET, "comet", "reference.1", {"s1": 15, "s2": 14, "s3": 14}),
        *(
            pytest.param(*each, marks=pytest.mark.nightly)
            for each in (
                (SOURCE_ALONE, "comet", "source", {"s1": 13, "s2": 5, "s3": 19, "s4": 15}),
                (BLEURT, "bleurt", "reference.2", {"s1": 16}),
            )
        ),
    ],
    ids=["COMET", "of the source alone", "BLEURT"],
)
def test_the_documented_script_scores_an_export_and_its_table_is_imported(
    tmp_path, code, metric, compared_to, lengths
):
    outputs = [*TABLES["outputs.csv"][:-1], ["s4", "T5", ""]]
    files = {"segments.csv": TABLES["segments.csv"], "outputs.csv": outputs}
    assert import_path(write_files(tmp_path / "small", files)).error == ""
    export, table = tmp_path / "small.zip", tmp_path / "table.csv"
    call_command("export_study", "small", output=export, verbosity=0)
    script = write_files(tmp_path / "packages", PACKAGES | {"script.py": code}) / "script.py"
    command = [sys.executable, script, export, table, "tiny"]
    subprocess.run(command, check=True)
    assert import_path(table).error == ""
    run = MetricRun.objects.get()
    assert (run.metric.name, run.compared_to, run.aspect) == (metric, compared_to, "content")
    stored = list(Output.objects.order_by("ordinal").select_related("segment", "system"))
    values = load_scores(run.pk, outputs=len(stored), fields=1)[:, 0]
    scores = {
        (output.segment.key, output.system.name): value
        for output, value in zip(stored, values, strict=True)
        if not np.isnan(value)
    }
    assert scores == {
        (key, system): len(f"{system} writes {key[1]}") - length
        for key, length in lengths.items()
        for system in ("BART", "T5")
        if (key, system) != ("s4", "T5")
    }
