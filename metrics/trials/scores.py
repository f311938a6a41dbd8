"""What the metrics give one output, each with its explanation."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from django.conf import settings

from metrics.models import Metric, TrainedModel
from metrics.resources.loaders import WEIGHTS
from metrics.resources.trained_models import stored_classifier
from metrics.runs.requests import library_versions
from metrics.scorers.guarded import GuardedScorer
from metrics.scorers.registry import scorers
from metrics.scorers.scorer import Resources, Scorer, Texts, Unavailable
from metrics.scorers.spec import MetricSpec
from metrics.styles.evaluation import quality_words
from metrics.trials.styles import NOT_OF_THE_STUDY
from metrics.trials.trial import Trial

_SUPPLIED = frozenset({"classifier", "regressor"})
_OF_A_STUDY = "it needs all texts of a study: score a study with it"


@dataclass(frozen=True)
class TriedComparison:
    """The numbers of one comparison; a missing one is None, and the reason says why."""

    compared_with: str
    numbers: tuple[tuple[str, float | None], ...]
    reason: str = ""


@dataclass(frozen=True)
class TriedMetric:
    """A metric with what it gives, or what must be done first."""

    spec: MetricSpec
    comparisons: tuple[TriedComparison, ...] = ()
    missing: str = ""
    quality: str = ""
    """How good the style model behind its numbers is, in words."""

    @property
    def orientation(self) -> str:
        """Which way is better, in words."""
        return str(Metric.Orientation(self.spec.orientation).label)


def tried_metrics(trial: Trial, model: TrainedModel | None) -> list[TriedMetric]:
    """Score an output by every default metric, and by those of style with a chosen model."""
    return [_tried(trial, scorer, model) for scorer in scorers().values() if _is_tried(scorer.spec)]


def _is_tried(spec: MetricSpec) -> bool:
    return spec.is_default or bool(spec.needs & _SUPPLIED)


def _tried(trial: Trial, kind: type[Scorer], model: TrainedModel | None) -> TriedMetric:
    spec = kind.spec
    try:
        if missing := _missing(spec, model):
            return TriedMetric(spec, missing=missing)
        comparisons = list(_comparisons(trial, spec))
        if not comparisons:
            return TriedMetric(spec, missing="it compares with references: give one")
        scorer = kind({}, _resources(spec, model))
        library_versions(scorer.libraries)
        supplied = model if spec.needs & _SUPPLIED else None
        quality = f"{supplied.name}: {quality_words(supplied.report)}" if supplied else ""
        return TriedMetric(spec, tuple(_scored(trial, scorer, comparisons)), quality=quality)
    except Unavailable as error:
        return TriedMetric(spec, missing=str(error))


def _missing(spec: MetricSpec, model: TrainedModel | None) -> str:
    """Say what a metric lacks, in words; empty if nothing."""
    if spec.needs & {"naturalness", "language_model", "lstm_language_model"}:
        return _OF_A_STUDY
    if "regressor" in spec.needs and not (model and model.is_graded):
        return "choose a style model that grades one style"
    if "classifier" in spec.needs and (model is None or model.is_graded):
        return "choose a style classifier"
    return ""


def _resources(spec: MetricSpec, model: TrainedModel | None) -> Resources:
    supplied = stored_classifier(model) if model and spec.needs & _SUPPLIED else None
    return Resources(cast(Any, supplied), cache=settings.DATA_DIR / WEIGHTS)


def _comparisons(trial: Trial, spec: MetricSpec) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what the output can be compared with here."""
    for comparison in spec.comparisons:
        if comparison == "":
            yield "", ()
        elif comparison == "source":
            yield "source", (trial.source,)
        elif trial.reference and (comparison == "reference" or "reference" not in spec.comparisons):
            yield "reference", (trial.reference,)


def _scored(
    trial: Trial, scorer: Scorer, comparisons: list[tuple[str, tuple[str, ...]]]
) -> Iterator[TriedComparison]:
    count = len(comparisons)
    scores = GuardedScorer(scorer).score(
        Texts.of(
            [trial.output] * count,
            [against for _, against in comparisons],
            sources=[trial.source] * count,
            target_styles=[trial.target_style] * count,
            segments=[NOT_OF_THE_STUDY] * count,
        )
    )
    for row, (name, _) in enumerate(comparisons):
        values = [None if np.isnan(value) else float(value) for value in scores.values[row]]
        numbers = tuple(zip(scorer.fields, values, strict=True))
        yield TriedComparison(name, numbers, scores.undefined.get(row, ""))
