"""What an import says of the metrics that it brings: which way is better, and who says so."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from corpus.imports.batch import Batch
from metrics.catalogue import MetricFacts, Orientation, known_metric
from metrics.imports.staged_numbers import staged_numbers
from metrics.imports.staged_runs import RunKey, staged_runs
from metrics.models import Metric
from metrics.scorers.registry import scorers

DECLARED, CATALOGUE, METRIC, UNKNOWN = "declared", "catalogue", "metric", "unknown"
RULES: Mapping[str, str] = {
    DECLARED: "declared in the files",
    CATALOGUE: "from the catalogue of published metrics, by its name",
    METRIC: "by the definition of the metric, which was computed by this program",
    UNKNOWN: "neither the files nor the catalogue state it; correlations stay raw until an "
    "owner does",
}
RESULT = "orientations"
"""Where the result of an import holds them."""


def tell_orientation(
    batch: Batch, metric: Metric, facts: MetricFacts, *, is_computed: bool = False
) -> None:
    """Put a metric that an import has oriented into the import's result, once."""
    entries: list[dict[str, Any]] = batch.facts.setdefault(RESULT, [])
    rule = _rule(batch, metric.name, facts, is_computed=is_computed)
    entry = {
        "metric": metric.name,
        "orientation": facts.orientation,
        "meaning": _meaning(facts),
        "rule": rule,
        "reason": RULES[rule],
    }
    if metric.name not in [each["metric"] for each in entries]:
        entries.append(entry)


def read_sign(batch: Batch, key: RunKey, facts: MetricFacts) -> MetricFacts:
    """Let the scores say which way is better, of a metric that is published with either sign.

    A penalty is 0 or more, and 0 or less once it has a minus sign; regressors overshoot 0 a little,
    so that the mean decides.
    """
    values = staged_numbers(batch).of(staged_runs(batch).place(key))["value"]
    mean = float(np.nanmean(values)) if np.isfinite(values).any() else 0.0
    orientation: Orientation = "lower" if mean > 0 else "higher" if mean < 0 else "unknown"
    if orientation == "unknown":
        return replace(facts, orientation=orientation)
    found = (
        "above 0: they are read as penalties"
        if mean > 0
        else "below 0: penalties with a minus sign"
    )
    note = (
        f"it is published with either sign, and the mean of its scores here ({mean:.3g}) is {found}"
    )
    return replace(facts, orientation=orientation, note=note)


def _rule(batch: Batch, name: str, facts: MetricFacts, *, is_computed: bool) -> str:
    declared = batch.declarations.get("metrics", {}).get(name)
    if facts.orientation == "unknown":
        return UNKNOWN
    if declared is not None:
        return DECLARED
    if is_computed and name in scorers():
        return METRIC
    return CATALOGUE if known_metric(name) else METRIC


def _meaning(facts: MetricFacts) -> str:
    """Say which way is better, in words."""
    words = str(Metric.Orientation(facts.orientation).label)
    if facts.target is not None:
        words += f" ({facts.target:g})"
    if facts.speaks_of:
        words += f", toward the style {facts.speaks_of}"
    return words
