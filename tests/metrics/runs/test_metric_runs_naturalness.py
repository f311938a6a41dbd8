"""Runs of adversarial naturalness: trained on the study, beside human judgements."""

import numpy as np
import pytest

from analysis.data import matrices
from corpus.models import Output
from metrics.resources.loaders import StudyTexts
from metrics.runs.asking import ask_for_runs
from metrics.runs.packed_scores import load_scores
from metrics.runs.requests import RunRequest
from metrics.scorers.naturalness import UnigramNaturalness
from metrics.scorers.scorer import Resources, Texts
from tests.fixtures.running_jobs import run_by_id

pytestmark = pytest.mark.django_db
KEY = "adversarial-naturalness-unigram"
SYSTEMS = ("m-1", "m-2", "other")
N = 25


def source(number):
    return f"the soup of table {number} was {'good' if number % 2 else 'cold'} ."


def output(number, system):
    copies = system == "m-2" and number % 3 == 0
    return source(number) if copies else f"soup soup table {number} {system} unk"


NUMBERS = range(N)
FILES = {
    "segments.csv": [["segment_id", "source"], *([f"s{n}", source(n)] for n in NUMBERS)],
    "outputs.csv": [
        ["segment_id", "system", "output"],
        *([f"s{n}", system, output(n, system)] for n in NUMBERS for system in SYSTEMS),
    ],
    "systems.csv": [["system", "model"], ["m-1", "m"], ["m-2", "m"], ["other", ""]],
    "ratings.csv": [
        ["segment_id", "system", "rater", "task", "judgement"],
        *(
            [
                f"s{n}",
                system,
                "majority of 3 raters",
                "relative",
                ["source", "output", "tie"][n % 3],
            ]
            for n in NUMBERS
            for system in SYSTEMS
        ),
    ],
}


@pytest.fixture(autouse=True)
def _no_matrices():
    matrices.forget()


def scored(study):
    asked, jobs = ask_for_runs(study, [RunRequest(KEY)], None)
    assert not asked.refused
    for job in jobs:
        run_by_id(job.pk)
    (run,) = [*asked.found, *asked.started]
    run.refresh_from_db()
    assert run.error == ""
    return run


def test_systems_of_one_model_are_scored_by_its_classifier_as_in_memory(study):
    run = scored(study)
    rows = Output.objects.filter(study=study).order_by("ordinal")
    stored = load_scores(run.pk, outputs=rows.count(), fields=2)
    texts = StudyTexts(study)
    assert texts.models == {"m-1": "m", "m-2": "m", "other": "other"}
    written = [row for row in rows if row.system.name != "(source)"]
    expected = UnigramNaturalness({}, Resources(naturalness=texts)).score(
        Texts.of(
            [row.text for row in written],
            sources=[source(row.segment.ordinal) for row in written],
            segments=[row.segment.ordinal for row in written],
            systems=[row.system.name for row in written],
        )
    )
    places = [row.ordinal for row in written]
    assert stored[places].tolist() == expected.values.tolist()
    sources = [row.ordinal for row in rows if row.system.name == "(source)"]
    assert len(sources) == N
    assert np.isnan(stored[sources]).all()
