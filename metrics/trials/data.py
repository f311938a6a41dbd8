"""A trial as plain data, for the API and the command."""

from collections.abc import Sequence
from typing import Any

from metrics.models import TrainedModel
from metrics.resources import attributors
from metrics.trials.scores import TriedMetric, tried_metrics
from metrics.trials.styles import Explanation, StyleView, explanation, style_views
from metrics.trials.trial import Trial


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
                "masked": [
                    {"threshold": threshold, "text": masked, "undefined": reason}
                    for threshold, masked, reason in text.masked
                ],
            }
            for text in found.texts
        ],
    }


def _metric(metric: TriedMetric) -> dict[str, Any]:
    return {
        "metric": metric.spec.key,
        "quality": metric.quality,
        "missing": metric.missing,
        "comparisons": [
            {
                "compared_with": each.compared_with,
                "numbers": dict(each.numbers),
                "undefined": each.reason,
            }
            for each in metric.comparisons
        ],
    }
