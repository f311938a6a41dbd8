"""Runs of perplexity: a model of this machine over a study, pooled by system."""

import pytest

from corpus.models import Output
from metrics.models import Undefined
from metrics.runs.asking import ask_for_runs
from metrics.runs.packed_scores import load_scores
from metrics.runs.requests import RunRequest
from metrics.scorers.perplexity import Perplexity
from metrics.scorers.scorer import Texts
from tests.fixtures.listed_places import listed
from tests.fixtures.running_jobs import run_by_id
from tests.fixtures.study_files import TABLES
from tests.fixtures.tiny_models import save_causal_model

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return save_causal_model(tmp_path_factory.mktemp("causal"))


OUTPUTS = [*TABLES["outputs.csv"][:-1], ["s4", "T5", ""]]
FILES = {"segments.csv": TABLES["segments.csv"], "outputs.csv": OUTPUTS}


def scored(study, metric, tiny):
    asked, jobs = ask_for_runs(study, [RunRequest(metric, {"model": listed(tiny)})], None)
    for job in jobs:
        run_by_id(job.pk)
    (run,) = asked.started
    run.refresh_from_db()
    assert run.error == ""
    return run


def test_stored_perplexities_are_those_of_the_scorer(study, tiny):
    run = scored(study, "perplexity", tiny)
    rows = Output.objects.filter(study=study).order_by("ordinal")
    expected = Perplexity({"model": listed(tiny)}).score(Texts.of([row.text for row in rows]))
    stored = load_scores(run.pk, outputs=rows.count(), fields=1)
    # The parts of a block make other batches.
    assert stored == pytest.approx(expected.values, rel=1e-4, nan_ok=True)
    assert "|model.safetensors:" in run.signature
    assert [row.reason for row in Undefined.objects.filter(run=run)] == ["the text is empty"]
