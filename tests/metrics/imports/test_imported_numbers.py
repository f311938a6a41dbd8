"""Scores on their way in: packed aside, not a row each, and checked all the same."""

import numpy as np
import pytest

from corpus.imports import batch
from corpus.models import Output
from metrics.models import MetricRun
from metrics.runs.packed_scores import load_scores
from tests.fixtures.study_files import import_path, write_files

SEGMENTS, METRICS = 1200, 4
WIDE = [["segment", "system", *(f"score_m{m}" for m in range(METRICS))]]
WIDE += [[f"s{n}", "BART", *(str(n + m / 8) for m in range(METRICS))] for n in range(SEGMENTS)]
TEXTS = {
    "segments.csv": [["segment", "source"], *([f"s{n}", f"t{n}"] for n in range(SEGMENTS))],
    "outputs.csv": [
        ["segment", "system", "output"],
        *([f"s{n}", "BART", f"o{n}"] for n in range(SEGMENTS)),
    ],
}


@pytest.fixture
def staged(monkeypatch):
    """The number of rows that were written into each staging table."""
    rows = {}
    write = batch.write_rows

    def counted(table, columns, some):
        rows[table] = rows.get(table, 0) + len(some)
        write(table, columns, some)

    monkeypatch.setattr(batch, "write_rows", counted)
    return rows


@pytest.mark.django_db
def test_a_score_is_no_row_of_the_database_on_its_way_in(tmp_path, staged):
    job = import_path(write_files(tmp_path / "study", TEXTS | {"metric_scores.csv": WIDE}))
    assert job.state == "done", job.error
    assert job.result["tables"]["metric_scores"]["added"] == SEGMENTS * METRICS
    assert "metrics_stagedscore" not in staged
    assert staged["metrics_stagedblock"] == METRICS * 2  # blocks that the ordinals touch
    outputs = Output.objects.count()
    of_system = Output.objects.filter(system__name="BART").order_by("ordinal")
    ordinals = list(of_system.values_list("ordinal", flat=True))
    runs = MetricRun.objects.order_by("pk")
    assert [run.name for run in runs] == [f"m{m}" for m in range(METRICS)]
    for m, run in enumerate(runs):
        scores = load_scores(run.pk, outputs=outputs, fields=1)[ordinals, 0]
        assert np.array_equal(scores, np.arange(SEGMENTS) + m / 8)


@pytest.mark.django_db
def test_of_many_repeated_scores_the_first_are_shown_and_all_counted(tmp_path):
    again = [*WIDE, *([f"s{n}", "BART", *["1"] * METRICS] for n in range(500))]
    job = import_path(write_files(tmp_path / "study", TEXTS | {"metric_scores.csv": again}))
    assert job.state == "failed"
    assert job.result["problems_total"] == 500 * METRICS
    problems = job.result["problems"]
    assert len(problems) == 100
    lines = sorted(problem["line"] for problem in problems)
    assert lines == [SEGMENTS + 2 + n // METRICS for n in range(100)]
    first = next(problem for problem in problems if problem["line"] == SEGMENTS + 2)
    assert (
        "m0|origin:imported of s0, BART is listed already at metric_scores.csv:2."
        in (first["message"])
    )


@pytest.mark.dialect
@pytest.mark.django_db
def test_scores_of_unknown_outputs_are_refused_or_left_out_by_name_on_request(tmp_path):
    scores = [["segment", "system", "metric", "score"]]
    scores += [[f"s{n}", system, "bleu", "0.5"] for n in (0, 1) for system in ("BART", "GPT")]
    scores += [["lost", "BART", "bleu", "0.5"]]
    systems = [["system", "metric", "score"], ["BART", "comet", "0.8"], ["GPT", "comet", "0.9"]]
    files = TEXTS | {"metric_scores.csv": scores, "system_scores.csv": systems}
    folder = write_files(tmp_path / "study", files)
    refused = import_path(folder)
    assert refused.state == "failed"
    assert MetricRun.objects.count() == 0
    assert "--skip-unknown-scores" in refused.result["problems"][0]["message"]
    taken = import_path(folder, skip_unknown_scores=True)
    assert taken.state == "done", taken.result
    counts = taken.result["tables"]
    assert counts["metric_scores"]["added"] == 2
    assert counts["system_scores"]["added"] == 1
    notes = " ".join(taken.result["notes"])
    why = "Left out, because the study has no such output:"
    assert f"{why} 3 rows of metric scores, for GPT for s0, GPT for s1, BART for lost." in notes
    assert f"{why} 1 row of metric scores, for GPT." in notes
