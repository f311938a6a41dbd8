"""Metric runs: asked for, computed once, stored block by block, found again."""

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.jobs import progress as progress_module
from corpus.jobs.foreground import run_in_foreground
from corpus.jobs.queue import cancel, resume
from corpus.jobs.worker import run_next
from corpus.models import Job, Output
from metrics import models
from metrics.models import MetricRun, Undefined
from metrics.runs import packed_scores, scoring_job
from metrics.runs.asking import ask_for_runs, prepare_runs, state_of
from metrics.runs.packed_scores import load_scores
from metrics.runs.requests import RunRequest
from tests.fixtures.running_jobs import run_by_id, scored_runs
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


FILES = {name: TABLES[name] for name in ("segments.csv", "outputs.csv")}


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of five outputs, so that a small study has several."""
    for module in (models, packed_scores, scoring_job):
        monkeypatch.setattr(module, "BLOCK_SIZE", 5, raising=False)
    monkeypatch.setattr("metrics.runs.packed_scores.BLOCK_SIZE", 5)


def add_outputs(study, tmp_path, texts):
    """Import outputs of one more system."""
    rows = [["segment_id", "system", "output"]]
    rows += [[f"s{number}", "new", text] for number, text in enumerate(texts, start=1)]
    folder = write_files(tmp_path / f"more-{len(texts)}", {"outputs.csv": rows})
    assert import_path(folder).state == "done"


def values(run):
    outputs = Output.objects.filter(study=run.study).count()
    return load_scores(run.pk, outputs=outputs, fields=len(run.fields))


def expected(study, comparison):
    """Lengths less the length of what each output is compared with, by brute force."""
    result = []
    for output in Output.objects.filter(study=study).order_by("ordinal"):
        kind, _, number = comparison.partition(".")
        found = Output.objects.filter(
            segment=output.segment, system__kind=kind.removesuffix("s"), variant=number or 1
        )
        against = [each.text for each in found]
        lacks = not against or not output.text
        result.append(np.nan if lacks else len(output.text) - max(map(len, against)))
    return result


@pytest.mark.parametrize("comparison", ["source", "reference.1", "reference.2"])
def test_scores_of_every_output_are_those_of_a_direct_computation(
    study, own, small_blocks, comparison
):
    [run] = scored_runs(study, RunRequest("counting", against=comparison))
    assert run.error == ""
    np.testing.assert_array_equal(values(run)[:, 0], expected(study, comparison))
    assert run.blocks.count() == -(-Output.objects.count() // 5)
    assert (run.compared_to, run.text_setting, run.aspect) == (comparison, "", "content")


def test_every_missing_score_has_its_reason_in_words(study, own, tmp_path):
    add_outputs(study, tmp_path, ["", "this must FAIL", "fine"])
    [run] = scored_runs(study, RunRequest("counting", against="reference.2"))
    reasons = {
        (row.output.segment.key, row.output.system.name): row.reason
        for row in Undefined.objects.filter(run=run)
    }
    assert np.isnan(values(run)).sum() == len(reasons)
    # Only the first segment has a second reference.
    assert reasons["s3", "new"] == "this segment has no reference 2"
    assert reasons["s1", "new"] == "the text is empty"
    [run] = scored_runs(study, RunRequest("counting", against="source"))
    [failed] = Undefined.objects.filter(run=run, output__segment__key="s2")
    assert failed.reason == "the metric fails on this text: ValueError: this text is too much"


def test_the_same_run_is_found_and_not_computed(study, own):
    [first] = scored_runs(study, RunRequest("counting"))
    own.Counting.asked.clear()
    asked, jobs = ask_for_runs(study, [RunRequest("counting")], None)
    assert (asked.found, asked.started, jobs) == ([first], [], [])
    assert own.Counting.asked == []
    [other] = scored_runs(study, RunRequest("counting", {"plus": 1}))
    assert other != first
    np.testing.assert_array_equal(values(other), values(first) + 1)


@pytest.mark.dialect
def test_texts_that_come_later_are_scored_alone(study, own, small_blocks, tmp_path):
    [run] = scored_runs(study, RunRequest("counting", against="source"))
    before, digest = values(run), run.content_sha256
    own.Counting.asked.clear()
    add_outputs(study, tmp_path, ["one", "two more"])
    asked = prepare_runs(study, [RunRequest("counting", against="source")])
    assert asked.started == [run]
    assert state_of(asked.started[0], Output.objects.count()) == "unfinished"
    [again] = scored_runs(study, RunRequest("counting", against="source"))
    assert again == run
    assert own.Counting.asked == ["one", "two more"]
    np.testing.assert_array_equal(values(run)[: len(before)], before)
    np.testing.assert_array_equal(values(run)[:, 0], expected(study, "source"))
    assert again.content_sha256 != digest


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (RunRequest("nothing"), "no metric 'nothing'"),
        (RunRequest("counting", {"plus": 10}), "a number from 0 to 9"),
        (RunRequest("counting", {"minus": 1}), "no parameter 'minus'; it takes plus"),
        (RunRequest("counting", against="reference.3"), "it takes source, reference.1"),
        (RunRequest("counting", text={"kind": "loud"}), "expected one of plain"),
        (RunRequest("counting", text={"kind": "style_masked"}), "this study has none"),
        (RunRequest("counting", models={"classifier": "x"}), "it needs no classifier"),
        (RunRequest("absent"), "the weights are not installed: fetch them"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_words_and_the_others_go_on(
    study, own, request_, words
):
    asked, jobs = ask_for_runs(study, [request_, RunRequest("pair")], None)
    assert words in asked.refused[request_.metric]
    assert [run.metric.name for run in asked.started] == ["pair"]
    assert len(jobs) == 1


def test_a_metric_that_fails_on_everything_stops_with_its_words(study, own):
    broken, pair = scored_runs(study, RunRequest("broken"), RunRequest("pair"))
    assert "RuntimeError: out of order" in broken.error
    assert not broken.blocks.exists()
    assert pair.content_sha256
    assert "broken was not finished" in Job.objects.get(kind="score").result["notes"][0]
    asked = prepare_runs(study, [RunRequest("broken")])
    assert state_of(asked.started[0], Output.objects.count()) == "failed"


def test_a_cancelled_run_keeps_its_blocks_and_goes_on_where_it_stopped(
    study, own, small_blocks, monkeypatch
):
    monkeypatch.setattr(progress_module, "SECONDS_BETWEEN_WRITES", 0)
    asked, [job] = ask_for_runs(study, [RunRequest("counting", against="source")], None)
    stored = scoring_job.store_block

    def store_and_cancel(*arguments):
        stored(*arguments)
        cancel(job)

    monkeypatch.setattr(scoring_job, "store_block", store_and_cancel)
    assert run_next().state == "cancelled"
    [run] = asked.started
    assert [block.number for block in run.blocks.all()] == [0]
    run.refresh_from_db()
    assert run.content_sha256 == ""
    assert list(study.runs.published()) == []
    first = list(own.Counting.asked)
    own.Counting.asked.clear()
    monkeypatch.setattr(scoring_job, "store_block", stored)
    job.refresh_from_db()
    assert resume(job)
    assert run_next().state == "done"
    assert not set(first) & set(own.Counting.asked)
    np.testing.assert_array_equal(values(run)[:, 0], expected(study, "source"))


@pytest.mark.dialect
def test_a_job_leaves_a_run_to_the_job_that_works_on_it(study, own):
    asked, [job] = ask_for_runs(study, [RunRequest("counting")], None)
    Job.objects.filter(pk=job.pk).update(state="running", lease_until="2100-01-01T00:00Z")
    pair = prepare_runs(study, [RunRequest("pair")]).started
    parameters = {"runs": [run.pk for run in [*asked.started, *pair]]}
    done = run_in_foreground("score", "another", study=study, parameters=parameters)
    assert done.result["notes"] == [f"counting/source is being scored by job {job.pk}."]
    assert list(done.result["tables"]) == [pair[0].signature]
    assert own.Counting.asked == []


def test_queries_do_not_grow_with_texts(study, own, tmp_path):
    def queries(request):
        asked = prepare_runs(study, [request])
        with CaptureQueriesContext(connection) as captured:
            job = run_in_foreground(
                "score", asked.job_key, study=study, parameters=asked.parameters
            )
        assert job.state == "done"
        return len(captured)

    queries(RunRequest("counting", against="references"))
    few = queries(RunRequest("counting", against="source"))
    rows = [["segment_id", "system", "output"]]
    rows += [[f"s{n}", f"m{m}", f"{m} on {n}"] for n in range(1, 5) for m in range(200)]
    assert import_path(write_files(tmp_path / "more", {"outputs.csv": rows})).state == "done"
    assert queries(RunRequest("counting", {"plus": 1}, "source")) == few


def test_a_run_of_other_versions_is_not_mixed_with_new_numbers(study, own, monkeypatch):
    asked, [job] = ask_for_runs(study, [RunRequest("counting")], None)
    MetricRun.objects.update(signature="counting|of:old")
    assert run_by_id(job.pk).state == "failed"
    [run] = asked.started
    run.refresh_from_db()
    assert "has changed since the run was asked for" in run.error


def test_a_computed_metric_makes_room_for_an_imported_one(study, own, tmp_path):
    scored_runs(study, RunRequest("counting"), RunRequest("pair"))
    scores = [["segment_id", "system", "metric", "score"], ["s1", "T5", "counting", "0.5"]]
    assert import_path(write_files(tmp_path / "scores", {"metric_scores.csv": scores})).error == ""
    names = {run.metric.name: run.origin for run in MetricRun.objects.select_related("metric")}
    assert names == {"counting": "imported", "counting (computed)": "computed", "pair": "computed"}
