"""Released scores of systems, in and out: one number of a metric for a system.

They stand alongside the scores of outputs, from which they cannot be computed: a corpus BLEU is no
mean, and some metrics score systems only.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from corpus.imports.batch import Batch
from corpus.imports.checks import repeated
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query
from corpus.models import Study, System
from corpus.tables.keys import SYSTEM
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, TableSpec
from metrics.imports.publishing import note_import, publish_run
from metrics.imports.reading import SkippedRows
from metrics.imports.staging import RunKey, described_runs, metric_aspect
from metrics.models import MetricRun, SystemScore
from metrics.runs.names import make_room, short_hash

SPEC = TableSpec(
    name="system_scores",
    title="System scores: one number of a metric for a whole system, as it was released",
    fields=(
        SYSTEM,
        Field("metric", "key", required=True, longest=150),
        Field("score", "number", required=True),
        Field("aspect", "key", longest=100),
        Field("compared_to", "key", longest=100),
        Field("text_setting", "key", longest=100),
        Field("metric_run", "key", longest=100, help="of a run in the table of metric runs"),
    ),
    recognised_by=(("metric",),),
    file_names=("system_score", "sys_score"),
    told_apart_by=("aspect", "compared_to", "text_setting"),
)
MOST = 200_000


class _Row(NamedTuple):
    file: int
    line: int
    system: str
    key: RunKey
    score: float

    @property
    def name(self) -> tuple[str, str]:
        return self.key.signature, self.system


class SystemScoresTable(TableHandler):
    """Handler of scores of systems; they are few, so they wait in memory."""

    spec = SPEC
    order = 55

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Keep the rows; a score that is missing is none."""
        waiting = _waiting(batch)
        count = 0
        for line, (system, metric, score, aspect, compared_to, setting, run) in records:
            count += 1
            if count > MOST:
                message = "Import fewer systems or metrics at a time."
                expected = f"at most {MOST:,} scores of systems"
                batch.problem(RowProblem(file, line, "system", system, expected, message, "range"))
                break
            if score is None:
                continue
            about = aspect or metric_aspect(batch, metric)
            key = RunKey(metric, about, compared_to or "", setting or "", is_distribution=False)
            if run and (described := described_runs(batch).get(run)):
                key = described.key
            waiting.append(_Row(file, line, system, key, float(score)))
        return count

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Unknown systems, repeated rows, and scores that differ from the stored ones."""
        systems = _known_systems(batch)
        stored = {
            (signature, system): value
            for signature, system, value in SystemScore.objects.filter(
                run__study=batch.study
            ).values_list("run__signature", "system__name", "value")
        }
        first: dict[tuple[str, str], _Row] = {}
        skipped = SkippedRows()
        for row in _waiting(batch):
            place = (row.file, row.line)
            if row.system not in systems and batch.options.skip_unknown_scores:
                skipped.add(row.system)
            elif row.system not in systems:
                message = f"no system {row.system!r}; import its outputs first, or correct the name"
                yield RowProblem(
                    *place, "system", row.system, "a system of the study", message, "unknown-system"
                )
            elif earlier := first.get(row.name):
                what = f"{row.key.signature} of {row.system}"
                yield repeated(batch, SPEC, "system", what, place, (earlier.file, earlier.line))
            elif (known := stored.get(row.name, row.score)) != row.score:
                message = "Stored scores do not change: import these under another metric name."
                expected = f"{known!r}, as stored"
                yield RowProblem(*place, "score", repr(row.score), expected, message, "differs")
            first.setdefault(row.name, row)
        if skipped.count:
            skipped.note(batch)
            batch.memory[SPEC.name] = [row for row in _waiting(batch) if row.system in systems]

    def publish(self, batch: Batch) -> Counts:
        """Add what is new to the runs of its metrics, made where they have no other scores."""
        waiting = _waiting(batch)
        make_room(batch.study, {row.key.metric for row in waiting if not row.key.given})
        systems = dict(System.objects.filter(study=batch.study).values_list("name", "pk"))
        runs = {key: publish_run(batch, key, []) for key in dict.fromkeys(r.key for r in waiting)}
        known = set(SystemScore.objects.filter(run__study=batch.study).values_list("run", "system"))
        rows = [
            SystemScore(run=runs[row.key], system_id=systems[row.system], value=row.score)
            for row in waiting
            if (runs[row.key].pk, systems[row.system]) not in known
        ]
        for run in {row.run_id: row.run for row in rows}.values():
            note_import(run)
        SystemScore.objects.bulk_create(rows, batch_size=5000)
        return Counts(added=len(rows), unchanged=len(waiting) - len(rows))

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give the scores run by run, in the order of systems."""
        found = SystemScore.objects.filter(run__study=study)
        if not found.exists():
            return
        computed = MetricRun.Origin.COMPUTED
        # Imported ones first, as in the table of scores.
        ordered = sorted(
            found.select_related("run__metric", "system").order_by("run", "system__ordinal"),
            key=lambda score: score.run.origin == computed,
        )
        rows = [_exported(score) for score in ordered]
        columns = list(SPEC.names)
        if ordered[-1].run.origin != computed:
            columns.remove("metric_run")
        yield ExportedTable.plain(SPEC.name, columns, (row[: len(columns)] for row in rows))


def _waiting(batch: Batch) -> list[_Row]:
    rows: list[_Row] = batch.memory.setdefault(SPEC.name, [])
    return rows


def _known_systems(batch: Batch) -> set[str]:
    """Return the systems that are stored or come with this import."""
    staged = query(
        """SELECT system_name FROM corpus_stagedtext WHERE job_id = %(job)s GROUP BY system_name
           UNION SELECT name FROM corpus_stagedsystem WHERE job_id = %(job)s""",
        {"job": batch.job.pk},
    )
    stored = System.objects.filter(study=batch.study).values_list("name", flat=True)
    return {*stored, *(name for (name,) in staged)}


def _exported(score: SystemScore) -> tuple[Any, ...]:
    run = score.run
    named = (run.aspect, run.compared_to, run.text_setting)
    name = short_hash(run.signature) if run.origin == MetricRun.Origin.COMPUTED else ""
    return (score.system.name, run.metric.name, score.value, *named, name)
