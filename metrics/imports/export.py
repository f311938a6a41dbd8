"""Stored scores as rows of a bundle."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from corpus.models import Output, Study
from metrics.imports.staged_runs import statistic_fields
from metrics.models import MetricRun, Undefined
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
