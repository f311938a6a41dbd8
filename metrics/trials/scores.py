"""What the metrics give one output, and a whole trial as plain data for the API and the command."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

import numpy as np
from django.conf import settings

from metrics.models import Metric, TrainedModel
from metrics.resources import attributors
from metrics.resources.loaders import WEIGHTS
from metrics.resources.trained_models import stored_classifier
from metrics.scorers.guarded import GuardedScorer
from metrics.scorers.registry import scorers
from metrics.scorers.scorer import Resources, Scorer, Texts, Unavailable, library_versions
from metrics.scorers.spec import MetricSpec
from metrics.styles.evaluation import quality_words
from metrics.trials.styles import NOT_OF_THE_STUDY, Explanation, StyleView, explanation, style_views
from metrics.trials.trial import Trial

_SUPPLIED = frozenset({"classifier", "regressor"})
_OF_A_STUDY = "it needs all texts of a study: score a study with it"


@dataclass(frozen=True)
class TriedComparison:
    """The numbers of one comparison; a missing one is None, and the reason says why."""

    compared_with: str
    numbers: dict[str, float | None]
    undefined: str = ""


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
        numbers = dict(zip(scorer.fields, values, strict=True))
        yield TriedComparison(name, numbers, scores.undefined.get(row, ""))


def usual_model(models: Sequence[TrainedModel]) -> TrainedModel | None:
    """Return the model that colours words where none is named: one that can, or the first."""
    return attributors.usual_model(models) or next(iter(models), None)


def trial_data(
    trial: Trial, models: Sequence[TrainedModel], model: TrainedModel | None
) -> dict[str, Any]:
    """Return what style models and metrics make of two texts.

    Parameters
    ----------
    trial
        The texts.
    models
        Models that are asked for their distributions.
    model
        The one whose words are attributed, and which supplies the style metrics.

    Returns
    -------
    dict
        `styles` by model, `words` with their shares of all attribution and the texts masked at
        each threshold, and `metrics`; what is not available says why under `missing`, and a
        number that is not defined is None.
    """
    return {
        "styles": [_styles(view) for view in style_views(trial, models)],
        "words": _words(explanation(trial, model)),
        "metrics": [_metric(metric) for metric in tried_metrics(trial, model)],
    }


def _styles(view: StyleView) -> dict[str, Any]:
    return {
        "model": view.model.name,
        "quality": view.quality,
        "missing": view.missing,
        "source": {row.style: row.before for row in view.rows},
        "output": {row.style: row.after for row in view.rows},
    }


def _words(found: Explanation) -> dict[str, Any]:
    return {
        "model": found.model.name if found.model else "",
        "style": found.style,
        "missing": found.missing,
        "rule": found.rule,
        "texts": [
            {
                "name": text.name.lower(),
                "words": [
                    {"text": part.text, "share": part.share}
                    for part in text.parts
                    if part.share is not None
                ],
                "masked": [masked._asdict() for masked in text.masked],
            }
            for text in found.texts
        ],
    }


def _metric(metric: TriedMetric) -> dict[str, Any]:
    return {
        "metric": metric.spec.key,
        "quality": metric.quality,
        "missing": metric.missing,
        "comparisons": [asdict(each) for each in metric.comparisons],
    }
