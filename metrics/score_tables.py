"""Metric scores and style distributions made elsewhere, in and out."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.handlers.keys import SEGMENT, SYSTEM, counted
from corpus.imports.batch import Batch
from corpus.imports.checks import duplicates
from corpus.imports.places import LEFT_OUT
from corpus.models import Output, Study
from corpus.tables import Counts, ExportedTable, RowProblem
from corpus.tabular.fields import Field, Spread, TableSpec
from metrics.catalogue import declared_metric
from metrics.models import Metric, MetricRun, Undefined
from metrics.scores import load_scores
from metrics.scores_publish import (
    RunKey,
    apply_declarations,
    changed_scores,
    metric_aspect,
    pack_blocks,
    publish_scores,
    staged_runs,
)

SCORES_SPEC = TableSpec(
    name="metric_scores",
    title="Metric scores: one number of a metric for an output",
    fields=(
        SEGMENT,
        SYSTEM,
        Field("metric", "key", required=True, synonyms=("metric_name", "scorer"), longest=150),
        Field("score", "number", required=True, synonyms=("value", "metric_score")),
        Field("aspect", "key", synonyms=("dimension",), longest=100),
        Field("compared_to", "key", synonyms=("compared_with", "against"), longest=100),
        Field("text_setting", "key", synonyms=("setting", "masking"), longest=100),
        Field("variant", "integer"),
    ),
    wide=(
        Spread(
            "metric",
            "score",
            labels=(
                *("bleu", "chrf", "meteor", "bertscore", "bleurt", "comet", "wmd", "ppl"),
                *("rouge1", "rouge2", "rougel", "rouge-1", "rouge-2", "rouge-l", "sacrebleu"),
            ),
            patterns=("score_{name}", "metric_{name}", "scores.{name}", "metrics.{name}"),
        ),
    ),
    recognised_by=(("metric",),),
    file_names=("metric", "score"),
)
DISTRIBUTIONS_SPEC = TableSpec(
    name="style_distributions",
    title="Style distributions: a classifier's probability of every style for a text",
    fields=(
        SEGMENT,
        SYSTEM,
        Field(
            "classifier",
            "key",
            required=True,
            synonyms=("style_classifier", "metric"),
            longest=150,
        ),
        Field(
            "probabilities",
            "number",
            required=True,
            many="map",
            synonyms=("p_{name}", "prob_{name}", "probabilities.{name}"),
        ),
        Field("variant", "integer"),
    ),
    recognised_by=(("classifier",), ("probabilities",)),
    file_names=("distribution",),
)
SUM_TOLERANCE = 0.02
STAGED_COLUMNS = ("file", "line", "run", "field", "ordinal", "value")


class _StagedScores:
    """What both tables share: one staging table, told apart by a flag."""

    order = 50
    inline_key = None
    declaration_key: str | None = None
    spec: TableSpec
    is_distribution: bool

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Duplicates, unknown outputs, changed scores."""
        if batch.first_time("staged scores"):
            yield from duplicates(
                batch,
                "metrics_stagedscore",
                {"segment": "ordinal", "metric": "run", "field": "field"},
                lambda key: (
                    f"{staged_runs(batch).keys[key[1]].signature} of "
                    + batch.places.describe(key[0])
                ),
            )
            yield from changed_scores(batch)
        if not self.is_distribution:
            yield from _bad_declarations(batch)

    def prepare(self, batch: Batch) -> None:
        """Pack blocks, so that publishing copies blobs instead of reading rows."""
        pack_blocks(batch, is_distribution=self.is_distribution)

    def publish(self, batch: Batch) -> Counts:
        """Create metrics and runs and put the packed blocks in place."""
        if not self.is_distribution:
            apply_declarations(batch)
        return publish_scores(batch, is_distribution=self.is_distribution)

    def discard(self, batch: Batch) -> None:
        """Forget staged scores and blocks."""
        batch.discard("metrics_stagedscore")
        batch.discard("metrics_stagedblock")


class ScoresTable(_StagedScores):
    """Handler of metric scores."""

    spec = SCORES_SPEC
    is_distribution = False
    declaration_key = "metrics"

    def stage(self, batch: Batch, file: int, records: Iterator[Any]) -> int:
        """Write scores into staging."""
        return batch.insert(
            "metrics_stagedscore", STAGED_COLUMNS, _score_rows(batch, file, records)
        )

    def declare(self, study: Study) -> dict[str, Any]:
        """Say how each metric is to be read."""
        return {"metrics": {metric.name: _declaration(metric) for metric in study.metrics.all()}}

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give the scores run by run, in the order of systems and segments."""
        runs = list(study.runs.filter(is_distribution=False).select_related("metric"))
        if not runs:
            return
        columns = ["segment", "system", "aspect", "metric", "compared_to", "text_setting"]
        columns += ["score", "variant"]
        yield ExportedTable(
            file_name="metric_scores.csv",
            columns=columns,
            rows=_exported_scores(study, runs),
            mapping={
                "table": "metric_scores",
                "columns": {name: name for name in columns},
                "missing": [""],
            },
        )


class DistributionsTable(_StagedScores):
    """Handler of style distributions, kept as what they are: several numbers an output."""

    spec = DISTRIBUTIONS_SPEC
    is_distribution = True

    def stage(self, batch: Batch, file: int, records: Iterator[Any]) -> int:
        """Write probabilities into staging."""
        return batch.insert(
            "metrics_stagedscore", STAGED_COLUMNS, _probability_rows(batch, file, records)
        )

    def declare(self, study: Study) -> dict[str, Any]:
        """Nothing: a distribution has no better or worse."""
        return {}

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give one table for each set of styles, run by run."""
        groups: dict[tuple[str, ...], list[MetricRun]] = {}
        for run in study.runs.filter(is_distribution=True).select_related("metric"):
            # By name: the order of columns in the file that came first says nothing.
            groups.setdefault(tuple(sorted(run.fields)), []).append(run)
        for number, (styles, runs) in enumerate(groups.items(), start=1):
            columns = [f"p_{style}" for style in styles]
            fixed = ["segment", "system", "classifier"]
            yield ExportedTable(
                file_name=f"style_distributions{'' if number == 1 else f'_{number}'}.csv",
                columns=[*fixed, *columns, "variant"],
                rows=_exported_distributions(study, runs, styles),
                mapping={
                    "table": "style_distributions",
                    "columns": {name: name for name in [*fixed, "variant"]}
                    | {"probabilities": dict(zip(styles, columns, strict=True))},
                },
            )


def _score_rows(batch: Batch, file: int, records: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    find, runs = batch.places.find, staged_runs(batch)
    known: dict[tuple[Any, ...], int] = {}
    for line, (segment, system, metric, score, aspect, compared_to, setting, variant) in records:
        number = counted(batch, file, line, "variant", variant)
        ordinal = find(segment, system, number)
        if ordinal < 0:
            if number:
                _not_found(batch, file, line, segment, system, ordinal)
            continue
        named = (metric, aspect, compared_to, setting)
        if named not in known:
            about = aspect or metric_aspect(batch, metric)
            key = RunKey(metric, about, compared_to or "", setting or "", is_distribution=False)
            known[named] = runs.place(key)
            runs.field_place(known[named], "score")
        yield file, line, known[named], 0, ordinal, score


def _probability_rows(batch: Batch, file: int, records: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    find, runs = batch.places.find, staged_runs(batch)
    for line, (segment, system, classifier, probabilities, variant) in records:
        number = counted(batch, file, line, "variant", variant)
        ordinal = find(segment, system, number)
        if ordinal < 0:
            if number:
                _not_found(batch, file, line, segment, system, ordinal)
            continue
        run = runs.place(RunKey(classifier, "", "", "", is_distribution=True))
        if not _is_distribution(probabilities):
            _not_a_distribution(batch, file, line, probabilities)
            continue
        for style, probability in probabilities.items():
            yield file, line, run, runs.field_place(run, style), ordinal, probability


def _is_distribution(probabilities: dict[str, float | None]) -> bool:
    values = [value for value in probabilities.values() if value is not None]
    if len(values) < len(probabilities):
        return not values
    return min(values) >= 0 and abs(sum(values) - 1) <= SUM_TOLERANCE


def _not_a_distribution(
    batch: Batch, file: int, line: int, probabilities: dict[str, float | None]
) -> None:
    found = ", ".join(f"{style} {value}" for style, value in probabilities.items())
    expected = f"probabilities of 0 or more that sum to 1 (± {SUM_TOLERANCE:g})"
    message = "These are no probabilities of all styles; correct the row or leave it out."
    batch.problem(RowProblem(file, line, "probabilities", found, expected, message, "range"))


def _not_found(batch: Batch, file: int, line: int, segment: str, system: str, ordinal: int) -> None:
    if ordinal != LEFT_OUT:
        batch.problem(batch.places.why_unknown(file, line, segment, system))


def _bad_declarations(batch: Batch) -> Iterator[RowProblem]:
    for name, declaration in batch.declarations.get("metrics", {}).items():
        try:
            declared_metric(declaration, name)
        except ValueError as error:
            yield RowProblem(-1, 1, "metrics", name, "a metric's facts", str(error), "declaration")


def _declaration(metric: Metric) -> dict[str, Any]:
    facts = {
        "orientation": metric.orientation,
        "target": metric.target,
        "speaks_of": metric.speaks_of,
        "midpoint": metric.midpoint,
    }
    return {key: value for key, value in facts.items() if value not in ("", None)}


def _output_keys(study: Study) -> list[tuple[int, str, str, int]]:
    """Ordinal, segment, system and variant of every output, in the order of a bundle's rows."""
    return list(
        Output.objects.filter(study=study)
        # Pseudo-systems last: their place among systems depends on how a study was imported.
        .order_by("-system__kind", "system__ordinal", "segment__ordinal", "variant")
        .values_list("ordinal", "segment__key", "system__name", "variant")
    )


def _run_values(run: MetricRun, outputs: int) -> tuple[NDArray[np.float64], set[int]]:
    """Scores of a run, and the ordinals whose score is stored as missing."""
    missing = set(Undefined.objects.filter(run=run).values_list("output__ordinal", flat=True))
    return load_scores(run.pk, outputs=outputs, fields=len(run.fields)), missing


def _exported_scores(study: Study, runs: list[MetricRun]) -> Iterator[tuple[Any, ...]]:
    keys = _output_keys(study)
    for run in runs:
        values, missing = _run_values(run, len(keys))
        for ordinal, segment, system, variant in keys:
            value = values[ordinal, 0]
            if np.isnan(value) and ordinal not in missing:
                continue
            place = (segment, system, run.aspect, run.metric.name, run.compared_to)
            score = "" if np.isnan(value) else float(value)
            yield (*place, run.text_setting, score, variant)


def _exported_distributions(
    study: Study, runs: list[MetricRun], styles: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    keys = _output_keys(study)
    for run in runs:
        values, _ = _run_values(run, len(keys))
        values = values[:, [run.fields.index(style) for style in styles]]
        for ordinal, segment, system, variant in keys:
            if np.isnan(values[ordinal]).any():
                continue
            probabilities = (float(value) for value in values[ordinal])
            yield (segment, system, run.metric.name, *probabilities, variant)
