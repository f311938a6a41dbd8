"""Scores computed here stand beside imported ones of the same metric, and are compared."""

import csv
import gzip
from collections import defaultdict

import numpy as np
import pytest
from django.core.management import call_command
from sacrebleu.metrics import CHRF
from scipy.stats import pearsonr

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.report_pages import imported

pytestmark = pytest.mark.django_db
ABOUT_THE_SAME = {"rtol": 0, "atol": 1e-9}


@pytest.fixture(scope="module", autouse=True)
def _published(studies, django_db_setup, django_db_blocker):
    both = [studies / name for name in ("lai2022", "mir2019")]
    with django_db_blocker.unblock(), imported(*both, published=studies):
        yield


def scored(slug, metric, **options):
    call_command("score", slug, metric, verbosity=0, **options)
    matrices.forget()
    return Study.objects.get(slug=slug)


def rows(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def beside(study, **question):
    asked = Question.parse({name: [value] for name, value in question.items()})
    return report(study, "correlation", asked)["content"]["beside_imported"]


def test_chrf_of_the_formality_study_is_compared_with_the_released_one(studies):
    scored("lai2022", "chrf", against="source")
    study = scored("lai2022", "chrf", against="reference.1")
    found = {entry["compared_to"]: entry for entry in beside(study, aspect="content", humans="in")}
    assert found.keys() == {"source", "reference.1"}
    assert found["reference.1"]["imported_compared_to"] == "reference"
    folder = studies / "lai2022"
    sources = {row["segment_id"]: row["source"] for row in rows(folder / "segments.csv")}
    people = defaultdict(list)
    for row in rows(folder / "ratings.csv"):
        if row["aspect"] == "content":
            people[row["segment_id"], row["system"]].append(float(row["score"]))
    released = {
        (row["segment_id"], row["system"]): float(row["score"])
        for row in rows(folder / "metric_scores.csv")
        if (row["metric"], row["compared_to"]) == ("chrf", "source")
    }
    outputs = rows(folder / "outputs.csv")
    keys = [(row["segment_id"], row["system"]) for row in outputs]
    chrf = CHRF()
    ours = np.array(
        [
            chrf.sentence_score(row["output"], [sources[row["segment_id"]]]).score / 100
            for row in outputs
        ]
    )
    theirs = np.array([released[key] for key in keys])
    human = np.array([np.mean(people[key]) for key in keys])
    entry = found["source"]
    assert entry["metric"] == "chrf (computed)"
    assert entry["imported_as"] == "chrf"
    assert entry["scores"]["n"] == entry["computed"]["n"] == 720
    np.testing.assert_allclose(
        [
            entry["computed"]["value"],
            entry["imported"]["value"],
            entry["difference"],
            entry["scores"]["mean_absolute_difference"],
            entry["scores"]["between"]["value"],
        ],
        [
            pearsonr(ours, human).statistic,
            pearsonr(theirs, human).statistic,
            pearsonr(ours, human).statistic - pearsonr(theirs, human).statistic,
            np.abs(ours - theirs).mean(),
            pearsonr(ours, theirs).statistic,
        ],
        **ABOUT_THE_SAME,
    )
    # The released values are rounded to four decimals.
    assert entry["scores"]["mean_absolute_difference"] < 0.5e-4
