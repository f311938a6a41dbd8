"""Stored scores as rows of a bundle."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.models import Output, Study
from metrics.models import MetricRun, Undefined
from metrics.scores import load_scores


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


def exported_scores(study: Study, runs: list[MetricRun]) -> Iterator[tuple[Any, ...]]:
    """Yield scores run by run, in the order of systems and segments."""
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


def exported_distributions(
    study: Study, runs: list[MetricRun], styles: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    """Yield distributions over the same styles, run by run."""
    keys = _output_keys(study)
    for run in runs:
        values, _ = _run_values(run, len(keys))
        values = values[:, [run.fields.index(style) for style in styles]]
        for ordinal, segment, system, variant in keys:
            if np.isnan(values[ordinal]).any():
                continue
            probabilities = (float(value) for value in values[ordinal])
            yield (segment, system, run.metric.name, *probabilities, variant)
