"""What is wrong with staged scores together, and with what is stored or declared."""

from collections.abc import Iterator

import numpy as np

from corpus.imports.batch import PROBLEMS_KEPT, Batch
from corpus.imports.checks import repeated
from corpus.imports.row_problem import RowProblem
from corpus.models import Output
from corpus.tabular.shaping.fields import TableSpec
from metrics.catalogue import declared_metric
from metrics.imports.staged_numbers import Numbers, staged_numbers
from metrics.imports.staged_runs import staged_runs, statistic_fields
from metrics.models import MetricRun
from metrics.runs.packed_scores import load_scores, load_statistics


def score_problems(batch: Batch, spec: TableSpec) -> Iterator[RowProblem]:
    """Find duplicates, and what differs from stored scores."""
    yield from _repeated_scores(batch, spec)
    yield from _changed_scores(batch)


def _repeated_scores(batch: Batch, spec: TableSpec) -> Iterator[RowProblem]:
    """Yield the first numbers that repeat an earlier one of their output; count the others."""
    total = 0
    found: list[tuple[tuple[int, int], tuple[int, int], int, int]] = []
    for place in range(len(staged_runs(batch).keys)):
        numbers = staged_numbers(batch).of(place)
        cells = numbers["ordinal"].astype(np.int64) << 16 | numbers["field"]
        order = np.argsort(cells, kind="stable")
        is_first = np.diff(cells[order], prepend=-1) != 0
        begin = np.maximum.accumulate(np.where(is_first, np.arange(len(order)), 0))
        again = np.flatnonzero(~is_first)
        total += len(again)
        for row in again[np.argsort(order[again])][:PROBLEMS_KEPT]:
            repeat, first = numbers[order[row]], numbers[order[begin[row]]]
            found.append((_at(repeat), _at(first), place, int(repeat["ordinal"])))
    found = sorted(found)[:PROBLEMS_KEPT]
    batch.problem_counts["duplicate"] += total - len(found)
    for where, first_where, place, ordinal in found:
        what = f"{staged_runs(batch).keys[place].signature} of {batch.places.describe(ordinal)}"
        yield repeated(batch, spec, "segment", what, where, first_where)


def _at(number: np.void) -> tuple[int, int]:
    return int(number["file"]), int(number["line"])


def _changed_scores(batch: Batch) -> Iterator[RowProblem]:
    """Find staged numbers that differ from stored ones, and distributions over other styles."""
    stored = {run.signature: run for run in batch.study.runs.select_related("metric")}
    runs = staged_runs(batch)
    outputs = Output.objects.filter(study=batch.study).count() if stored else 0
    for place, key in enumerate(runs.keys):
        run = stored.get(key.signature)
        if run is None or not run.fields:
            continue
        fields = [*run.fields, *statistic_fields(run.statistics)]
        staged = staged_numbers(batch).of(place)
        for name in runs.fields[place]:
            if name not in fields:
                yield _other_styles(staged, runs.field_place(place, name), run, name)
        columns = np.array([fields.index(n) if n in fields else -1 for n in runs.fields[place]])
        if (columns < 0).any():
            continue
        scores = np.hstack(
            [
                load_scores(run.pk, outputs=outputs, fields=len(run.fields)),
                load_statistics(run.pk, outputs=outputs, names=len(run.statistics)),
            ]
        )
        staged = staged[staged["ordinal"] < outputs]
        known = scores[staged["ordinal"], columns[staged["field"]]]
        differs = np.flatnonzero(~np.isnan(known) & (known != staged["value"]))
        batch.problem_counts["differs"] += max(len(differs) - PROBLEMS_KEPT, 0)
        for row in differs[:PROBLEMS_KEPT]:
            value = float(staged[row]["value"])
            yield RowProblem(
                *_at(staged[row]),
                "score",
                "no score" if np.isnan(value) else repr(value).removesuffix(".0"),
                f"{repr(float(known[row])).removesuffix('.0')}, as stored",
                f"{key.signature} is stored already with another value for this output; "
                "stored scores do not change: import under another metric name",
                "differs",
                {"metric": key.metric},
            )


def _other_styles(staged: Numbers, field: int, run: MetricRun, name: str) -> RowProblem:
    """Say where a style first stands that the stored distributions do not have."""
    first = staged[np.argmax(staged["field"] == field)]
    expected = f"{', '.join(run.fields)}, as stored"
    message = f"{run.metric.name} is stored with other styles; import under another name"
    labels = {"probabilities": name}
    return RowProblem(*_at(first), "probabilities", name, expected, message, "differs", labels)


def declaration_problems(batch: Batch) -> Iterator[RowProblem]:
    """Find facts of metrics in `study.json` that make no sense."""
    for name, declaration in batch.declarations.get("metrics", {}).items():
        try:
            declared_metric(declaration, name)
        except ValueError as error:
            yield RowProblem(-1, 1, "metrics", name, "a metric's facts", str(error), "declaration")
