"""Metric scores and style distributions made elsewhere, in and out."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from django.db.models import Q

from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import refresh_statistics
from corpus.models import Output, Study
from corpus.tables.keys import SEGMENT, SYSTEM
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.shaping.blocks import Block, Records
from corpus.tabular.shaping.fields import VARIANT, Field, Spread, TableSpec
from corpus.tabular.shaping.mapping import object_of
from metrics.catalogue import STORED_FACTS
from metrics.imports.merging import declaration_problems, pack_blocks, score_problems
from metrics.imports.publishing import apply_declarations, publish_runs_of_systems, publish_scores
from metrics.imports.reading import STAGED_COLUMNS, ScoreReader, read_probabilities, skipped_rows
from metrics.imports.staging import statistic_fields
from metrics.models import Metric, MetricRun, Undefined
from metrics.runs.names import short_hash
from metrics.runs.packed_scores import load_scores, load_statistics


def _output_keys(study: Study) -> list[tuple[int, str, str, int]]:
    """Ordinal, segment, system and variant of every output, in the order of a bundle's rows."""
    return list(
        Output.objects.filter(study=study)
        # Pseudo-systems last: their place among systems depends on how a study was imported.
        .order_by("-system__kind", "system__ordinal", "segment__ordinal", "variant")
        .values_list("ordinal", "segment__key", "system__name", "variant")
    )


def exported_scores(study: Study, runs: list[MetricRun]) -> Iterator[tuple[Any, ...]]:
    """Yield scores run by run, in the order of systems and segments.

    The sufficient statistics of a computed run follow its numbers, output by output. Each row ends
    with the run, the name of the number and the reason of a missing one, which are
    empty for imported scores.
    """
    keys = _output_keys(study)
    for run in runs:
        is_computed = run.origin == MetricRun.Origin.COMPUTED
        name = short_hash(run.signature) if is_computed else ""
        fields = [*run.fields, *statistic_fields(run.statistics)]
        values = np.hstack(
            [
                load_scores(run.pk, outputs=len(keys), fields=len(run.fields)),
                load_statistics(run.pk, outputs=len(keys), names=len(run.statistics)),
            ]
        )
        reasons = _reasons(run)
        for (ordinal, segment, system, variant), column in product(keys, range(len(fields))):
            value, field = values[ordinal, column], fields[column]
            if np.isnan(value) and (ordinal, field) not in reasons:
                continue
            place = (segment, system, run.aspect, run.metric.name, run.compared_to)
            score = "" if np.isnan(value) else float(value)
            reason = reasons.get((ordinal, field), "")
            origin = (name, field, reason) if is_computed else ("", "", "")
            yield (*place, run.text_setting, score, variant, *origin)


def _reasons(run: MetricRun) -> dict[tuple[int, str], str]:
    """Why numbers are stored as missing, by ordinal and name."""
    rows = Undefined.objects.filter(run=run).values_list("output__ordinal", "field", "reason")
    return {(ordinal, field): reason for ordinal, field, reason in rows}


def exported_distributions(
    study: Study, runs: list[MetricRun], styles: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    """Yield distributions over the same styles, run by run."""
    keys = _output_keys(study)
    for run in runs:
        values = load_scores(run.pk, outputs=len(keys), fields=len(run.fields))
        values = values[:, [run.fields.index(style) for style in styles]]
        for ordinal, segment, system, variant in keys:
            if np.isnan(values[ordinal]).any():
                continue
            probabilities = (float(value) for value in values[ordinal])
            yield (segment, system, run.metric.name, *probabilities, variant)


SCORES_SPEC = TableSpec(
    name="metric_scores",
    title="Metric scores: one number of a metric for an output",
    fields=(
        SEGMENT,
        SYSTEM,
        Field("metric", "key", required=True, longest=150),
        Field("score", "number", required=True),
        Field("aspect", "key", longest=100),
        Field("compared_to", "key", longest=100),
        Field("text_setting", "key", longest=100),
        VARIANT,
        Field("metric_run", "key", longest=100, help="of a run in the table of metric runs"),
        Field("metric_field", "key", longest=100, help="which of such a run's numbers"),
        Field("missing_because", "text", help="why such a run has no score here"),
    ),
    wide=(Spread("metric", "score"),),
    recognised_by=(("metric",),),
    file_names=("metric", "score"),
    told_apart_by=("aspect", "compared_to", "text_setting", "variant"),
)
DISTRIBUTIONS_SPEC = TableSpec(
    name="style_distributions",
    title="Style distributions: a classifier's probability of every style for a text",
    fields=(
        SEGMENT,
        SYSTEM,
        Field("classifier", "key", required=True, longest=150),
        Field("probabilities", "number", required=True, many="map"),
        VARIANT,
    ),
    recognised_by=(("classifier",), ("probabilities",)),
    file_names=("distribution",),
    told_apart_by=("variant",),
)


class _StagedScores(TableHandler):
    """What both tables share: one staging table, told apart by a flag."""

    order = 50
    staging = ("metrics_stagedscore", "metrics_stagedblock")
    spec: TableSpec
    is_distribution: bool

    @abstractmethod
    def reader(self, batch: Batch, file: int) -> Callable[[Block], list[tuple[Any, ...]]]:
        """Return what keeps the numbers of a file's blocks and returns rows of missing ones."""

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Put numbers aside, and what is missing into staging."""
        read, count, is_any_missing = self.reader(batch, file), 0, False
        for block in records.blocks:
            if missing := read(block):
                batch.write("metrics_stagedscore", STAGED_COLUMNS, missing)
                is_any_missing = True
            count += len(block)
            batch.report_read(self.spec.name, file, len(block))
        if is_any_missing:
            refresh_statistics("metrics_stagedscore")
        return count

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Duplicates, unknown outputs, changed scores."""
        if batch.first_time("staged scores"):
            skipped_rows(batch).note(batch)
            yield from score_problems(batch, self.spec)
        if not self.is_distribution:
            yield from declaration_problems(batch)

    def prepare(self, batch: Batch) -> None:
        """Pack blocks, so that publishing copies blobs instead of reading rows."""
        pack_blocks(batch, is_distribution=self.is_distribution)

    def discard(self, batch: Batch) -> None:
        """Let go of the numbers that wait in a file, too."""
        batch.memory.pop("numbers", None)
        super().discard(batch)

    def publish(self, batch: Batch) -> Counts:
        """Create metrics and runs and put the packed blocks in place."""
        if not self.is_distribution:
            apply_declarations(batch)
        counts = publish_scores(batch, is_distribution=self.is_distribution)
        if not self.is_distribution:
            publish_runs_of_systems(batch)
        return counts


class ScoresTable(_StagedScores):
    """Handler of metric scores."""

    spec = SCORES_SPEC
    is_distribution = False
    declaration_key = "metrics"

    def reader(self, batch: Batch, file: int) -> Callable[[Block], list[tuple[Any, ...]]]:
        """Read scores, by rows or spread over columns."""
        return ScoreReader(batch, file, self.spec).read

    def declare(self, study: Study) -> dict[str, Any]:
        """Say how each metric is to be read."""
        return {"metrics": {metric.name: _declaration(metric) for metric in study.metrics.all()}}

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give the scores run by run, in the order of systems and segments."""
        computed = MetricRun.Origin.COMPUTED
        listed = study.runs.published().filter(Q(is_distribution=False) | Q(origin=computed))
        # Imported ones first: those of another study may come with its bundle later.
        runs = sorted(
            listed.select_related("metric").order_by("pk"), key=lambda run: run.origin == computed
        )
        if not runs:
            return
        columns = ["segment", "system", "aspect", "metric", "compared_to", "text_setting"]
        columns += ["score", "variant"]
        if runs[-1].origin == computed:
            columns += ["metric_run", "metric_field", "missing_because"]
        yield ExportedTable(
            file_name="metric_scores.csv",
            columns=columns,
            rows=(row[: len(columns)] for row in exported_scores(study, runs)),
            mapping={
                "table": "metric_scores",
                "columns": {n: n for n in columns} | {"score": """= missing("score", [''])"""},
            },
        )


class DistributionsTable(_StagedScores):
    """Handler of style distributions, kept as what they are: several numbers an output."""

    spec = DISTRIBUTIONS_SPEC
    is_distribution = True

    def reader(self, batch: Batch, file: int) -> Callable[[Block], list[tuple[Any, ...]]]:
        """Read probabilities."""
        return partial(read_probabilities, batch, file, spec=self.spec)

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give one table for each set of styles, run by run."""
        groups: dict[tuple[str, ...], list[MetricRun]] = {}
        for run in study.runs.filter(
            is_distribution=True, origin=MetricRun.Origin.IMPORTED
        ).select_related("metric"):
            # By name: the order of columns in the file that came first says nothing.
            groups.setdefault(tuple(sorted(run.fields)), []).append(run)
        for number, (styles, runs) in enumerate(groups.items(), start=1):
            columns = [f"p_{style}" for style in styles]
            fixed = ["segment", "system", "classifier"]
            yield ExportedTable(
                file_name=f"style_distributions{'' if number == 1 else f'_{number}'}.csv",
                columns=[*fixed, *columns, "variant"],
                rows=exported_distributions(study, runs, styles),
                mapping={
                    "table": "style_distributions",
                    "columns": {name: name for name in [*fixed, "variant"]}
                    | {"probabilities": object_of(dict(zip(styles, columns, strict=True)))},
                },
            )


def _declaration(metric: Metric) -> dict[str, Any]:
    facts = {name: getattr(metric, name) for name in STORED_FACTS}
    return {key: value for key, value in facts.items() if value not in ("", None)}
