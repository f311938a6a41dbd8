"""From staged numbers to packed blocks, and blocks into place."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpus.imports.batch import Batch, execute, query
from corpus.models import Output
from corpus.tables import Counts, RowProblem
from metrics.catalogue import UNKNOWN, MetricFacts, declared_metric, known_metric
from metrics.models import (
    BLOCK_SIZE,
    Metric,
    MetricRun,
    ScoreBlock,
    StagedBlock,
)
from metrics.scores import load_scores, pack, unpack

MISSING_REASON = "missing in the imported table"


class RunKey(NamedTuple):
    """What tells one imported run of a study from another."""

    metric: str
    aspect: str
    compared_to: str
    text_setting: str
    is_distribution: bool

    @property
    def signature(self) -> str:
        """The run's signature, in the manner of sacreBLEU."""
        parts = [
            ("aspect", self.aspect),
            ("compared-to", self.compared_to),
            ("text", self.text_setting),
            ("kind", "distribution" if self.is_distribution else ""),
            ("origin", "imported"),
        ]
        return "|".join([self.metric, *(f"{key}:{value}" for key, value in parts if value)])


class StagedRuns:
    """The runs of one import in order of appearance; staged numbers name them by place."""

    def __init__(self) -> None:
        self.keys: list[RunKey] = []
        self.fields: list[list[str]] = []
        self._places: dict[RunKey, int] = {}

    def place(self, key: RunKey) -> int:
        """Return a run's place, giving it one if it is new."""
        if key not in self._places:
            self._places[key] = len(self.keys)
            self.keys.append(key)
            self.fields.append([])
        return self._places[key]

    def field_place(self, run: int, name: str) -> int:
        """Return a field's place in its run, giving it one if it is new."""
        names = self.fields[run]
        if name not in names:
            names.append(name)
        return names.index(name)

    def of(self, *, is_distribution: bool) -> list[int]:
        """Places of the runs of one table."""
        return [i for i, key in enumerate(self.keys) if key.is_distribution == is_distribution]


def staged_runs(batch: Batch) -> StagedRuns:
    """Return the runs that this import has met so far."""
    runs: StagedRuns = batch.memory.setdefault("runs", StagedRuns())
    return runs


def metric_facts(batch: Batch, name: str) -> MetricFacts:
    """Return what the study declares of a metric, else what the catalogue knows, else unknown."""
    declared = batch.declarations.get("metrics", {}).get(name)
    if declared is not None:
        return declared_metric(declared, name)
    return known_metric(name) or UNKNOWN


def metric_aspect(batch: Batch, name: str) -> str:
    """Return the aspect that a metric is known to speak of, where its table does not say."""
    try:
        return metric_facts(batch, name).aspect
    except ValueError:
        return ""  # a bad declaration is reported by the checks


_NUMBER = np.dtype([("ordinal", "i4"), ("field", "i2"), ("value", "f8")])
Numbers = NDArray[Any]


def pack_blocks(batch: Batch, *, is_distribution: bool) -> None:
    """Merge staged numbers with the stored blocks they touch, into staged blocks."""
    runs = staged_runs(batch)
    added = total = 0
    for place in runs.of(is_distribution=is_distribution):
        key = runs.keys[place]
        fields = _fields_of_run(batch, key, runs.fields[place])
        columns = np.array([fields.index(name) for name in runs.fields[place]])
        numbers = _numbers(batch, place)
        for block in np.unique(numbers["ordinal"] // BLOCK_SIZE):
            inside = numbers[numbers["ordinal"] // BLOCK_SIZE == block]
            added += _merge(batch, key, int(block), len(fields), columns, inside)
        total += len(np.unique(numbers["ordinal"]))
        batch.progress.report(f"packing {key.metric}", done=total)
    batch.memory["scores", is_distribution] = Counts(added=added, unchanged=total - added)


def _numbers(batch: Batch, run: int) -> Numbers:
    """Read a run's staged numbers to the end before anything is written.

    An open cursor would hold a snapshot that another connection's write makes stale.
    """
    rows = query(
        """SELECT ordinal, field, value FROM metrics_stagedscore
           WHERE job_id = %(job)s AND run = %(run)s""",
        {"job": batch.job.pk, "run": run},
    )
    chunks = []
    while chunk := list(islice(rows, 50_000)):
        filled = [(o, f, np.nan if value is None else value) for o, f, value in chunk]
        chunks.append(np.array(filled, dtype=_NUMBER))
    return np.concatenate(chunks) if chunks else np.empty(0, dtype=_NUMBER)


def _merge(
    batch: Batch, key: RunKey, number: int, fields: int, columns: NDArray[np.int64], inside: Numbers
) -> int:
    """Stage one block if it changes; return for how many outputs it has something new."""
    stored = ScoreBlock.objects.filter(
        run__study=batch.study, run__signature=key.signature, number=number
    ).first()
    known = unpack(stored.values, fields) if stored else np.empty((0, fields))
    rows = inside["ordinal"] % BLOCK_SIZE
    length = max(len(known), 1 + int(rows.max()))
    block = np.full((length, fields), np.nan)
    block[: len(known)] = known
    cells = (rows, columns[inside["field"]])
    is_new = np.isnan(block[cells]) & ~np.isnan(inside["value"])
    fresh = len(np.unique(rows[is_new]))
    block[cells] = inside["value"]
    if fresh or stored is None:
        with batch.writing():
            StagedBlock.objects.create(
                job=batch.job, signature=key.signature, number=number, values=pack(block)
            )
    return fresh


def publish_scores(batch: Batch, *, is_distribution: bool) -> Counts:
    """Create metrics and runs, and replace the blocks that changed by copies of staged ones."""
    runs = staged_runs(batch)
    for place in runs.of(is_distribution=is_distribution):
        key = runs.keys[place]
        run = _run(batch, key, runs.fields[place])
        parameters = {"job": batch.job.pk, "run": run.pk, "signature": key.signature}
        execute(
            """DELETE FROM metrics_scoreblock WHERE run_id = %(run)s AND number IN
                   (SELECT number FROM metrics_stagedblock
                    WHERE job_id = %(job)s AND signature = %(signature)s)""",
            parameters,
        )
        copied = execute(
            """INSERT INTO metrics_scoreblock (run_id, number, "values")
               SELECT %(run)s, number, "values" FROM metrics_stagedblock
               WHERE job_id = %(job)s AND signature = %(signature)s""",
            parameters,
        )
        if copied:
            digest = sha256()
            for block in run.blocks.order_by("number").values_list("values", flat=True):
                digest.update(block)
            MetricRun.objects.filter(pk=run.pk).update(content_sha256=digest.hexdigest())
        _explain_missing(batch, place, runs.fields[place], run)
    counts: Counts = batch.memory.get(("scores", is_distribution), Counts(0, 0))
    return counts


def changed_scores(batch: Batch) -> Iterator[RowProblem]:
    """Find staged numbers that differ from stored ones, and distributions over other styles."""
    stored = {run.signature: run for run in batch.study.runs.select_related("metric")}
    runs = staged_runs(batch)
    outputs = Output.objects.filter(study=batch.study).count()
    for place, key in enumerate(runs.keys):
        run = stored.get(key.signature)
        if run is None:
            continue
        for name in runs.fields[place]:
            if name not in run.fields:
                yield _other_styles(batch, place, runs.field_place(place, name), run, name)
        scores = load_scores(run.pk, outputs=outputs, fields=len(run.fields))
        columns = [run.fields.index(n) if n in run.fields else -1 for n in runs.fields[place]]
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


def apply_declarations(batch: Batch) -> None:
    """Let a declaration speak for stored metrics of which nothing was known; keep the others."""
    declared = batch.declarations.get("metrics", {})
    for metric in Metric.objects.filter(study=batch.study, name__in=list(declared)):
        facts = declared_metric(declared[metric.name], metric.name)
        stated = (facts.orientation, facts.target, facts.speaks_of, facts.midpoint)
        known = (metric.orientation, metric.target, metric.speaks_of, metric.midpoint)
        if stated == known or facts.orientation == "unknown":
            continue
        if metric.orientation == Metric.Orientation.UNKNOWN:
            metric.orientation, metric.target, metric.speaks_of, metric.midpoint = stated
            metric.save()
        else:
            batch.note(
                f"{metric.name} is declared as “{facts.orientation}” here and stored as "
                f"“{metric.orientation}”; the stored one stays, change it on the metrics page."
            )


def _fields_of_run(batch: Batch, key: RunKey, staged: list[str]) -> list[str]:
    run = MetricRun.objects.filter(study=batch.study, signature=key.signature).first()
    return list(run.fields) if run else staged


def _run(batch: Batch, key: RunKey, fields: list[str]) -> MetricRun:
    facts = metric_facts(batch, key.metric)
    if key.is_distribution:
        facts = MetricFacts("descriptive")
    metric, created = Metric.objects.get_or_create(
        study=batch.study,
        name=key.metric,
        defaults={
            "orientation": facts.orientation,
            "target": facts.target,
            "speaks_of": facts.speaks_of,
            "midpoint": facts.midpoint,
        },
    )
    if created and facts.orientation == "unknown":
        batch.note(
            f"It is not known whether higher or lower {key.metric} is better: its correlations "
            "are shown raw until you declare it."
        )
    run, _ = MetricRun.objects.get_or_create(
        study=batch.study,
        signature=key.signature,
        defaults={
            "metric": metric,
            "aspect": key.aspect,
            "compared_to": key.compared_to,
            "text_setting": key.text_setting,
            "fields": fields,
            "is_distribution": key.is_distribution,
            "origin": MetricRun.Origin.IMPORTED,
        },
    )
    return run


def _explain_missing(batch: Batch, place: int, fields: list[str], run: MetricRun) -> None:
    for number, name in enumerate(fields):
        facts = {
            "study": batch.study.pk,
            "job": batch.job.pk,
            "run": run.pk,
            "place": place,
            "number": number,
            "name": name,
            "reason": MISSING_REASON,
        }
        execute(
            """DELETE FROM metrics_undefined WHERE run_id = %(run)s AND field = %(name)s
               AND output_id IN (SELECT o.id FROM metrics_stagedscore st
                   JOIN corpus_output o ON o.study_id = %(study)s AND o.ordinal = st.ordinal
                   WHERE st.job_id = %(job)s AND st.run = %(place)s AND st.field = %(number)s
                     AND st.value IS NOT NULL)""",
            facts,
        )
        execute(
            """INSERT INTO metrics_undefined (run_id, output_id, field, reason)
               SELECT %(run)s, o.id, %(name)s, %(reason)s FROM metrics_stagedscore st
               JOIN corpus_output o ON o.study_id = %(study)s AND o.ordinal = st.ordinal
               WHERE st.job_id = %(job)s AND st.run = %(place)s AND st.field = %(number)s
                 AND st.value IS NULL
               ON CONFLICT DO NOTHING""",
            facts,
        )
