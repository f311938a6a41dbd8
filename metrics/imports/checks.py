"""What is wrong with staged scores together, and with what is stored or declared."""

from collections.abc import Iterator

import numpy as np

from corpus.imports.batch import Batch
from corpus.imports.checks import duplicates
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query
from corpus.models import Output
from corpus.tabular.fields import TableSpec
from metrics.catalogue import declared_metric
from metrics.imports.staged_runs import staged_runs, statistic_fields
from metrics.models import MetricRun
from metrics.runs.packed_scores import load_scores, load_statistics


def score_problems(batch: Batch, spec: TableSpec) -> Iterator[RowProblem]:
    """Find duplicates, and what differs from stored scores."""
    yield from duplicates(
        batch,
        "metrics_stagedscore",
        spec,
        {"segment": "ordinal", "metric": "run", "field": "field"},
        lambda key: (
            f"{staged_runs(batch).keys[key[1]].signature} of {batch.places.describe(key[0])}"
        ),
    )
    yield from _changed_scores(batch)


def _changed_scores(batch: Batch) -> Iterator[RowProblem]:
    """Find staged numbers that differ from stored ones, and distributions over other styles."""
    stored = {run.signature: run for run in batch.study.runs.select_related("metric")}
    runs = staged_runs(batch)
    outputs = Output.objects.filter(study=batch.study).count()
    for place, key in enumerate(runs.keys):
        run = stored.get(key.signature)
        if run is None:
            continue
        fields = [*run.fields, *statistic_fields(run.statistics)]
        for name in runs.fields[place]:
            if name not in fields:
                yield _other_styles(batch, place, runs.field_place(place, name), run, name)
        scores = np.hstack(
            [
                load_scores(run.pk, outputs=outputs, fields=len(run.fields)),
                load_statistics(run.pk, outputs=outputs, names=len(run.statistics)),
            ]
        )
        columns = [fields.index(n) if n in fields else -1 for n in runs.fields[place]]
        if -1 in columns:
            continue
        rows = query(
            """SELECT file, line, ordinal, field, value FROM metrics_stagedscore
               WHERE job_id = %(job)s AND run = %(run)s ORDER BY id""",
            {"job": batch.job.pk, "run": place},
        )
        for file, line, ordinal, field, value in rows:
            known = scores[ordinal, columns[field]] if ordinal < outputs else np.nan
            if not np.isnan(known) and known != value:
                yield RowProblem(
                    file,
                    line,
                    "score",
                    "no score" if value is None else repr(value).removesuffix(".0"),
                    f"{repr(float(known)).removesuffix('.0')}, as stored",
                    f"{key.signature} is stored already with another value for this output; "
                    "stored scores do not change: import under another metric name",
                    "differs",
                    {"metric": key.metric},
                )


def _other_styles(batch: Batch, place: int, field: int, run: MetricRun, name: str) -> RowProblem:
    """Say where a style first stands that the stored distributions do not have."""
    file, line = next(
        query(
            """SELECT file, line FROM metrics_stagedscore
               WHERE job_id = %(job)s AND run = %(run)s AND field = %(field)s
               ORDER BY id LIMIT 1""",
            {"job": batch.job.pk, "run": place, "field": field},
        )
    )
    expected = f"{', '.join(run.fields)}, as stored"
    message = f"{run.metric.name} is stored with other styles; import under another name"
    return RowProblem(
        file, line, "probabilities", name, expected, message, "differs", {"probabilities": name}
    )


def declaration_problems(batch: Batch) -> Iterator[RowProblem]:
    """Find facts of metrics in `study.json` that make no sense."""
    for name, declaration in batch.declarations.get("metrics", {}).items():
        try:
            declared_metric(declaration, name)
        except ValueError as error:
            yield RowProblem(-1, 1, "metrics", name, "a metric's facts", str(error), "declaration")
