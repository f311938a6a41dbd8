"""On processors of Intel, too, a text has the same scores beside whatever others it is scored.

PyTorch's library of matrices takes other paths there; here it is made to believe that it is there.
"""

import os
import shutil
import subprocess
import sys

import pytest

import config
from tests.fixtures.machine import ROOT, missing

CLAIM = "int mkl_serv_intel_cpu(void){return 1;} int mkl_serv_intel_cpu_true(void){return 1;}"
SCORE = """
import random, sys
from pathlib import Path
import config
from tests.fixtures.tiny_models import save_sequence_classifier
from transformers import AutoModelForSequenceClassification, AutoTokenizer
from metrics.language_models.sequence_classifier import SequenceClassifier

folder = save_sequence_classifier(Path(sys.argv[1]), ["odd", "acceptable"])
model = SequenceClassifier(
    AutoModelForSequenceClassification.from_pretrained(folder),
    AutoTokenizer.from_pretrained(folder),
)
draw = random.Random(1)
words = "the food was good bad kind so not".split()
texts = list({" ".join(draw.choices(words, k=draw.randint(2, 6))) for _ in range(500)})
together = dict(zip(texts, model.predict(texts)[:, 1]))
draw.shuffle(texts)
print(sum(value != together[text] for text, value in zip(texts, model.predict(texts)[:, 1])))
"""


@pytest.fixture
def as_on_intel(tmp_path):
    """Return a function that scores texts in two orders and counts those whose score differs."""
    compiler = shutil.which("gcc") or missing("gcc")
    source, library = tmp_path / "claim.c", tmp_path / "claim.so"
    source.write_text(CLAIM)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)

    def count(**more):
        environment = os.environ | {"LD_PRELOAD": str(library), "OMP_NUM_THREADS": "1"} | more
        command = [sys.executable, "-c", SCORE, str(tmp_path / "model")]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        )
        return int(done.stdout.split()[-1])

    return count


def test_no_score_depends_on_the_place_of_a_text_among_others(as_on_intel):
    assert os.environ["MKL_CBWR"] == "AUTO,STRICT", config.__file__
    assert as_on_intel() == 0


def test_this_machine_would_notice_if_it_did(as_on_intel):
    assert as_on_intel(MKL_CBWR="AUTO") > 0
