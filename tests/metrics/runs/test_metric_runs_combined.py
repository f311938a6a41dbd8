"""Runs that combine the scores of other runs: named, found, computed, finished, and carried."""

import re

import numpy as np
import pytest

from analysis.data import matrices
from corpus.models import Output
from metrics.models import MetricRun, Undefined
from metrics.runs.packed_scores import load_scores
from metrics.runs.requests import RunRequest
from tests.fixtures import combined_study
from tests.fixtures.combined_study import PARTS, score, scored

pytestmark = pytest.mark.django_db
prepare = combined_study.prepare
MEAN = RunRequest("overall-mean", {"parts": "accuracy, bleu/references", "kind": "arithmetic"})
JOINT = RunRequest("joint", {"style": "accuracy"})


@pytest.fixture(autouse=True)
def _no_matrices():
    matrices.forget()


def by_output(run):
    rows = list(Output.objects.filter(study=run.study).order_by("ordinal"))
    values = load_scores(run.pk, outputs=len(rows), fields=1)[:, 0]
    return {
        (row.segment.key, row.system.name): value for row, value in zip(rows, values, strict=True)
    }


def test_a_mean_of_scores_is_computed_from_those_that_are_stored(study):
    bleu, *_ = scored(study, *PARTS)
    [run] = scored(study, MEAN)
    expected = by_output(MetricRun.objects.get(metric__name="accuracy"))
    content = by_output(bleu)
    found = by_output(run)
    for output, value in found.items():
        mean = (expected[output] + content[output]) / 2
        assert value == pytest.approx(mean, nan_ok=True)
    assert sum(np.isfinite(list(found.values()))) == 6


def test_an_undefined_score_names_its_part_and_the_reason_there(study):
    scored(study, *PARTS)
    weighted = {"parts": "bleu/references,ngram-perplexity", "lower": "reciprocal-log"}
    [run] = scored(study, RunRequest("overall-mean", weighted))
    reasons = {
        (row.output.segment.key, row.output.system.name): row.reason
        for row in Undefined.objects.filter(run=run)
    }
    assert reasons["s4", "near"].startswith("bleu/references is undefined: ")
    assert "compare" in reasons["s4", "near"] or "reference" in reasons["s4", "near"]
    [run] = scored(study, MEAN)
    missing = {
        row.output.system.name: row.reason
        for row in Undefined.objects.filter(run=run, output__segment__key="s1")
    }
    assert missing["(source)"] == "accuracy is undefined: no score was imported for this text"


def test_a_score_of_one_style_is_turned_toward_the_target_style(study):
    scored(study, *PARTS)
    parts = {"parts": "c-pt16,accuracy", "kind": "arithmetic", "weights": "1,0"}
    [run] = scored(study, RunRequest("overall-mean", parts))
    found = by_output(run)
    assert found["s1", "near"] == pytest.approx(0.9)
    assert found["s3", "near"] == pytest.approx(1 - 0.2)


def test_the_same_combination_is_found_however_its_parts_are_named(study):
    bleu, *_ = scored(study, *PARTS)
    [run] = scored(study, MEAN)
    key = run.request["parameters"]["parts"].split(",")
    assert re.fullmatch(r"bleu/references#[0-9a-f]{12}", key[1])
    again = score(study, RunRequest("overall-mean", MEAN.parameters | {"parts": ",".join(key)}))
    assert again.found == [run]
    assert run.versions["files"].keys() == {"part-1", "part-2"}
    assert f"|parts:{key[0]},{key[1]}|kind:arithmetic|" in run.signature
    assert bleu.signature != run.signature


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({}, "parts: name the scores to combine, by commas"),
        ({"parts": "accuracy,bleu"}, "bleu is ambiguous, say which: bleu/references, bleu/source"),
        ({"parts": "accuracy,chrf"}, "score it first, on the score page or by manage.py score"),
        ({"parts": "accuracy,chrf/source"}, "manage.py score small chrf --against source"),
        ({"parts": "accuracy,own"}, "there are no scores 'own'; this study has accuracy, c-pt16"),
        ({"parts": "accuracy,ngram-perplexity"}, "its lower scores are better: say with"),
    ],
)
def test_parts_that_are_not_there_or_ambiguous_are_refused_with_the_choices(
    study, parameters, words
):
    scored(study, *PARTS)
    assert words in score(study, RunRequest("overall-mean", parameters)).refused["overall-mean"]


def test_joint_is_a_run_without_numbers_of_outputs(study):
    assert "--against references" in score(study, JOINT).refused["joint"]
    scored(study, *PARTS)
    [run] = scored(study, JOINT)
    assert (run.fields, run.blocks.count(), run.statistics) == ([], 0, [])
    assert score(study, JOINT).found == [run]
    words = score(study, RunRequest("joint", {"style": "accuracy", "content": "accuracy"}))
    assert "Joint takes corpus BLEU" in words.refused["joint"]
