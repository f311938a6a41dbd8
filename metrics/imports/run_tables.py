"""Runs that were computed, in and out: what the scores of a bundle belong to."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.models import Study
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.plain import PlainError, from_plain
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, TableSpec
from metrics.imports.staging import DescribedRun, described_runs
from metrics.models import LONGEST_SIGNATURE, MetricRun
from metrics.runs.names import LONGEST_NAME, short_hash

SPEC = TableSpec(
    name="metric_runs",
    title="Metric runs: how scores were computed",
    fields=(
        Field("run", "key", required=True, help="name in the table of scores", longest=100),
        Field("signature", "key", required=True, longest=LONGEST_SIGNATURE),
        Field("metric", "key", required=True, longest=150),
        Field("aspect", "key", longest=100),
        Field("compared_to", "key", longest=100),
        Field("text_setting", "key", longest=100),
        Field("distribution", "choice", choices=("true", ""), help="over styles"),
        Field(
            "numbers",
            "json",
            required=True,
            help="names of the numbers of each output; none of a metric of systems",
        ),
        Field("request", "json"),
        Field("versions", "json"),
        Field("name", "key", help="what pages and commands call it", longest=LONGEST_NAME),
    ),
    recognised_by=(("run", "signature"),),
    file_names=("metric_runs",),
)
COLUMNS = [each.name for each in SPEC.fields]


@dataclass(frozen=True)
class _Request:
    """What a run was asked for, as `RunRequest` writes it."""

    metric: str
    parameters: dict[str, Any]
    against: str = ""
    text: dict[str, Any] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Versions:
    """What a run was computed with."""

    libraries: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    statistics: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Attribution:
    """What a text setting by attribution needs so that its model is found."""

    model: str
    sha256: str


_CELLS = {"request": _Request, "versions": _Versions}


class RunsTable(TableHandler):
    """Handler of computed runs; their scores come in the table of scores."""

    spec = SPEC
    order = 45

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Keep the runs in memory: there are few, and their scores name them."""
        described = described_runs(batch)
        for line, record in records:
            key, *named, distribution, numbers, request, versions, name = record
            if not _are_names(numbers):
                batch.problem(_no_names(file, line, numbers))
            elif unlike := list(_unlike(file, line, request=request, versions=versions)):
                for problem in unlike:
                    batch.problem(problem)
            elif key in described:
                batch.problem(_twice(file, line, "run", key))
            elif named[0] in (run.signature for run in described.values()):
                batch.problem(_twice(file, line, "signature", named[0]))
            else:
                signature, metric, aspect, compared_to, setting = (each or "" for each in named)
                described[key] = DescribedRun(
                    signature=signature,
                    metric=metric,
                    aspect=aspect,
                    compared_to=compared_to,
                    text_setting=setting,
                    is_distribution=distribution == "true",
                    fields=tuple(numbers),
                    request=request or {},
                    versions=versions or {},
                    name=name or "",
                )
        return len(described)

    def publish(self, batch: Batch) -> Counts:
        """Count; runs are created with their scores."""
        signatures = [run.signature for run in described_runs(batch).values()]
        known = batch.study.runs.filter(signature__in=signatures).count()
        return Counts(added=len(signatures) - known, unchanged=known)

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give one row a run, as they were made."""
        runs = study.runs.published().filter(origin=MetricRun.Origin.COMPUTED)
        # As an import makes them: those of systems come when all scores are there.
        ordered = sorted(runs.select_related("metric").order_by("pk"), key=lambda r: not r.fields)
        rows = [_row(run) for run in ordered]
        if rows:
            yield ExportedTable.plain(SPEC.name, COLUMNS, rows)


def _row(run: MetricRun) -> tuple[Any, ...]:
    named = (short_hash(run.signature), run.signature, run.metric.name, run.aspect, run.compared_to)
    facts = (_json(each) for each in (run.fields, run.request, run.versions))
    distribution = "true" if run.is_distribution else ""
    return *named, run.text_setting, distribution, *facts, run.name


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, sort_keys=True)


def _are_names(numbers: Any) -> bool:
    return isinstance(numbers, list) and all(isinstance(name, str) for name in numbers)


def _unlike(file: int, line: int, **cells: Any) -> Iterator[RowProblem]:
    """Find cells that pages could not show; an empty one says nothing."""
    for name, cell in cells.items():
        try:
            read = from_plain(_CELLS[name], cell) if cell not in (None, {}) else None
            if isinstance(read, _Request) and read.text.get("by") == "attribution":
                needed = {
                    each: read.text[each] for each in ("model", "sha256") if each in read.text
                }
                from_plain(_Attribution, needed)
        except PlainError as error:
            message = f"{error}. Take the original file, or leave the cell empty."
            expected = f"the {name} of a run, as an archive has it"
            yield RowProblem(file, line, name, _json(cell), expected, message, "json")


def _no_names(file: int, line: int, found: Any) -> RowProblem:
    message = "Name the numbers that each output has; one number is called score."
    return RowProblem(file, line, "numbers", str(found), 'a list, as ["score"]', message, "json")


def _twice(file: int, line: int, field: str, found: str) -> RowProblem:
    message = (
        "A run is described once. If these are two runs, give each a name and a signature of its "
        "own; if they are one, keep one of the rows."
    )
    return RowProblem(file, line, field, found, f"each {field} once", message, "duplicate")
